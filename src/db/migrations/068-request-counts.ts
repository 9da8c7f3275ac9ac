import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Counts requests for all machines that share a PostgreSQL database. An installation with SQLite has one machine, which
 * counts by itself. No backup has the counts, so a restore may find the table here.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  for (const statement of [
    // Unlogged: a standby server that is promoted starts to count anew.
    `create unlogged table if not exists request_counts (
      name text not null primary key,
      taken bigint not null,
      ends_at bigint not null
    ) with (fillfactor = 50)`,
    // Takes from what is left in a window of a minute. A window begins with its first request, by the clock of the database.
    `create or replace function take_requests(counted text, most bigint, wanted bigint)
      returns table (granted bigint, remaining bigint, left_ms bigint) language plpgsql as $$
      declare
        present bigint;
        used bigint;
        window_end bigint;
      begin
        -- Nobody waits for the disk or a standby server because requests are counted.
        perform set_config('synchronous_commit', 'off', true);
        insert into request_counts (name, taken, ends_at) values (counted, 0, 0) on conflict (name) do nothing;
        select taken, ends_at into used, window_end from request_counts where name = counted for update;
        -- Read once nobody else counts: the window that another request has begun must not end more than a minute later.
        present := floor(extract(epoch from clock_timestamp()) * 1000);
        -- An end more than a minute ahead: the clock was set back.
        if window_end is null or window_end <= present or window_end > present + 60000 then
          used := 0;
          window_end := present + 60000;
        end if;
        granted := least(wanted, greatest(0, most - used));
        remaining := greatest(0, most - used - granted);
        left_ms := window_end - present;
        update request_counts set taken = used + granted, ends_at = window_end where name = counted;
        return next;
      end $$`,
    `create or replace function forget_requests() returns void language plpgsql as $$
      begin
        perform set_config('synchronous_commit', 'off', true);
        delete from request_counts where ends_at <= floor(extract(epoch from clock_timestamp()) * 1000);
      end $$`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
