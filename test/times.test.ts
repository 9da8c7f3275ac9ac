import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  formatClock,
  formatDate,
  formatDay,
  formatTime,
  fromLocalTime,
  isOwnZone,
  toLocalTime,
} from '../admin/src/times.ts';

/* Times in the admin app: events in the time zone of the device, and dates that visitors read in the time zone of the site. */

const HOUR = 3_600_000;

/** Sets the device's time zone and clock. */
function beIn(t: TestContext, timeZone: string, now: string): void {
  const before = process.env.TZ;
  process.env.TZ = timeZone;
  t.after(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(now) });
}

test('times are shown in the time zone of the device, with the year if it differs from the current one there', (t) => {
  const time = Date.parse('2025-12-31T20:30:00Z');
  beIn(t, 'Asia/Tokyo', '2026-06-01T12:00:00Z');
  assert.deepEqual([formatTime(time), formatClock(time), isOwnZone('Asia/Tokyo')], ['1 Jan, 05:30', '05:30', true]);
  process.env.TZ = 'America/New_York';
  assert.deepEqual([formatTime(time), formatClock(time)], ['31 Dec 2025, 15:30', '15:30']);
  assert.equal(isOwnZone('Asia/Tokyo'), false);
});

test('days follow the time zone of the device: today, yesterday, or a date', (t) => {
  // In Tokyo it is already the 2nd.
  beIn(t, 'Asia/Tokyo', '2026-06-01T16:00:00Z');
  const days = ['2026-06-01T15:00:00Z', '2026-06-01T14:59:59Z', '2026-05-31T14:59:59Z', '2025-05-31T12:00:00Z'];
  assert.deepEqual(
    days.map((day) => formatDay(Date.parse(day))),
    ['Today', 'Yesterday', 'Sunday 31 May', '31 May 2025'],
  );
});

test('a day of 23 or 25 hours counts as one day', (t) => {
  for (const [midnight, hours] of [
    ['2026-03-29T00:00:00+01:00', 23],
    ['2026-10-25T00:00:00+02:00', 25],
  ] as const) {
    const start = Date.parse(midnight);
    const end = start + hours * HOUR;
    t.mock.timers.reset();
    beIn(t, 'Europe/Berlin', new Date(end).toISOString());
    const days = [end, end - 1, start, start - 1].map(formatDay);
    assert.deepEqual(days.slice(0, 3), ['Today', 'Yesterday', 'Yesterday']);
    assert.match(days[3]!, /^Saturday/);
    t.mock.timers.setTime(end - 1);
    assert.deepEqual([start, start - 1].map(formatDay), ['Today', 'Yesterday']);
  }
});

test('a date of the site is shown in the time zone of the site, wherever the device is', (t) => {
  beIn(t, 'America/New_York', '2026-06-01T12:00:00Z');
  const time = Date.parse('2026-01-15T20:04:05Z');
  assert.equal(formatDate(time, 'Asia/Tokyo'), '16 Jan 2026, 05:04');
  assert.equal(formatDate(time, 'Asia/Tokyo', true), '16 Jan 2026, 05:04:05');
  assert.equal(formatDate(time, 'Mars/Olympus'), '15 Jan 2026, 20:04', 'a zone that nobody knows');
});

/** The days of 2026 on which clocks change in one of the time zones. */
const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-27', '2026-10-04', '2026-10-25', '2026-11-01'];

const zones = {
  UTC: ['2026-01-15T12:00', '2026-07-15T12:00'],
  'Europe/Berlin': ['2026-01-15T13:00', '2026-07-15T14:00'],
  'America/New_York': ['2026-01-15T07:00', '2026-07-15T08:00'],
  'Asia/Tokyo': ['2026-01-15T21:00', '2026-07-15T21:00'],
  'Asia/Kathmandu': ['2026-01-15T17:45', '2026-07-15T17:45'],
  'Australia/Lord_Howe': ['2026-01-15T23:00', '2026-07-15T22:30'],
  'Pacific/Chatham': ['2026-01-16T01:45', '2026-07-16T00:45'],
  'America/St_Johns': ['2026-01-15T08:30', '2026-07-15T09:30'],
  'Mars/Olympus': ['2026-01-15T12:00', '2026-07-15T12:00'],
};

for (const [zone, [winter, summer]] of Object.entries(zones)) {
  test(`a time that is shown in a field is read back as the same time: ${zone}`, () => {
    for (const [utc, local] of [
      ['2026-01-15T12:00Z', winter!],
      ['2026-07-15T12:00Z', summer!],
    ] as const) {
      assert.equal(toLocalTime(Date.parse(utc), zone), local);
      assert.equal(fromLocalTime(local, zone), Date.parse(utc));
    }
    // Check every hour around each change of clocks.
    for (let index = 0; index < changes.length * 72; index++) {
      const time = Date.parse(changes[Math.floor(index / 72)]!) + ((index % 72) - 24) * (HOUR / 2);
      const shown = toLocalTime(time, zone);
      const read = fromLocalTime(shown, zone)!;
      assert.equal(toLocalTime(read, zone), shown);
      assert.ok(read === time || read === time - HOUR || read === time - HOUR / 2, shown);
    }
  });
}

test('a time that a change of clocks skips is moved later, and an ambiguous time is the first of the two', () => {
  const read = (local: string, zone: string) => new Date(fromLocalTime(local, zone)!).toISOString().slice(0, 16);
  assert.equal(read('2026-03-29T01:59', 'Europe/Berlin'), '2026-03-29T00:59');
  assert.equal(read('2026-03-29T02:30', 'Europe/Berlin'), '2026-03-29T01:30');
  assert.equal(read('2026-03-29T03:00', 'Europe/Berlin'), '2026-03-29T01:00');
  assert.equal(read('2026-10-25T01:59', 'Europe/Berlin'), '2026-10-24T23:59');
  assert.equal(read('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30');
  assert.equal(read('2026-10-25T03:00', 'Europe/Berlin'), '2026-10-25T02:00');
  assert.equal(read('2026-03-08T01:59', 'America/New_York'), '2026-03-08T06:59');
  assert.equal(read('2026-03-08T02:30', 'America/New_York'), '2026-03-08T07:30');
  assert.equal(read('2026-03-08T03:00', 'America/New_York'), '2026-03-08T07:00');
  assert.equal(read('2026-11-01T01:30', 'America/New_York'), '2026-11-01T05:30');
  assert.equal(read('2026-11-01T02:00', 'America/New_York'), '2026-11-01T07:00');
});

test('an invalid time is read as undefined', () => {
  for (const text of ['', 'soon', '2026-13-01T12:00']) {
    assert.equal(fromLocalTime(text, 'Europe/Berlin'), undefined, text);
  }
});
