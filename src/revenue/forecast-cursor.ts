import { AppError } from '../errors.ts';
import { isDay } from './days.ts';
import type { ForecastCursor } from './get-forecast.ts';

/** Formats a position in the list of the forecast's changes as text for a query. */
export function writeForecastCursor({ day, customerId, kind }: ForecastCursor): string {
  return `${day}_${customerId}_${kind}`;
}

/** Parses a position in that list. @throws AppError `malformed` for any other text */
export function readForecastCursor(text: string): ForecastCursor {
  const [, day, id, kind] = /^(\d{4}-\d{2}-\d{2})_(\d{1,15})_(move|trial)$/.exec(text) ?? [];
  if (day === undefined || !isDay(day)) throw new AppError('malformed', '"after" must be "next" of the previous part.');
  return { day, customerId: Number(id), kind: kind as ForecastCursor['kind'] };
}
