/** The part of the logger that records errors. */
export interface ErrorLog {
  error(details: object, message: string): void;
}
