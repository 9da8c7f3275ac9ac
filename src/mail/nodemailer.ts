import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** As CommonJS: the other form of it imports `node:http`, and that costs much (see http/node-http.ts). */
export const { createTransport } = require('nodemailer') as typeof import('nodemailer');
