import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** As CommonJS: the other form of it imports `node:http`, and that costs much (see http/node-http.ts). */
export const { createTransport } = require('nodemailer') as typeof import('nodemailer');
export const { default: MimeNode } = require('nodemailer/lib/mime-node') as typeof import('nodemailer/lib/mime-node');
export const quotedPrintable = require('nodemailer/lib/qp') as typeof import('nodemailer/lib/qp');
