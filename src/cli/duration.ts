import { OptionError } from './command.ts';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** Returns the milliseconds of a duration like `90d`, `24h`, `30m` or `2w`. @throws OptionError with the option's name */
export function parseDuration(text: string, option: string): number {
  const [, digits, unit] = /^(\d{1,5})([mhdw])$/.exec(text.trim()) ?? [];
  if (digits === undefined || unit === undefined) {
    throw new OptionError(option, 'is not a number of minutes, hours, days or weeks, like 30m, 24h, 90d or 2w');
  }
  return Number(digits) * units[unit as keyof typeof units];
}
