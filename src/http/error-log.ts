/** What failures are logged to. */
export interface ErrorLog {
  error(details: object, message: string): void;
}
