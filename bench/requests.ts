import type { BenchAccount } from './data.ts';
import { load } from './load.ts';
import type { Running } from './processes.ts';
import { SECONDS } from './report.ts';

export const get = (
  server: Running,
  path: string,
  more: { headers?: Record<string, string>; connections?: number } = {},
) => load({ url: `${server.url}${path}`, connections: 16, seconds: SECONDS, ...more });

export const newPage = ({ key }: BenchAccount) =>
  `/api/pages.json?api_key=${key}&page%5Bbody%5D=%3Cp%3EHello%3C%2Fp%3E&page%5Bname%5D=Bench-{n}`;

export const post = (server: Running, paths: string[], connections = 64) =>
  load({ url: server.url, connections, seconds: SECONDS, posts: paths });
