import { byteString, type HttpResponse } from '../request-context.ts';

/** Headers of all responses: they are for one user and this origin alone, and must not be cached. */
const headersWith = (policy: string): readonly string[] => [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  policy,
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Referrer-Policy',
  'no-referrer',
];

const headersOfAll = headersWith("default-src 'none'; frame-ancestors 'none'");

export function jsonResponse(status: number, value: unknown, headers: readonly string[] = []): HttpResponse {
  const body = byteString(JSON.stringify(value));
  return {
    status,
    headers: headersOfAll.concat(
      ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)],
      headers,
    ),
    body,
  };
}

/** 204: it is done, and there is nothing to say. */
export function emptyResponse(headers: readonly string[] = []): HttpResponse {
  return { status: 204, headers: headersOfAll.concat(headers), body: '' };
}

/** A document, with the policy that it must not be shown without. */
export function documentResponse(html: string, policy: string): HttpResponse {
  const body = byteString(html);
  const headers = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)];
  return { status: 200, headers: headersWith(policy).concat(headers), body };
}
