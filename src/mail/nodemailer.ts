import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads nodemailer as CommonJS: its ES module form imports `node:http`, which is expensive to load (see http/node-http.ts). */
export const { createTransport } = require('nodemailer') as typeof import('nodemailer');
export const { default: MimeNode } = require('nodemailer/lib/mime-node') as typeof import('nodemailer/lib/mime-node');
export const quotedPrintable = require('nodemailer/lib/qp') as typeof import('nodemailer/lib/qp');
