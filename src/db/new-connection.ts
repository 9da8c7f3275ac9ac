/** Called with each new connection to PostgreSQL before it is used. */
export type OnConnect = (connection: NewConnection) => Promise<unknown>;

export interface NewConnection {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}
