import { CSV_BEGINNING, type CsvCell, csvLine } from '../csv.ts';
import { decimal } from '../plans/money.ts';

/** A customer as a line of the CSV file. */
export interface CsvCustomer {
  id: number;
  name: string;
  subdomain: string;
  /** The URL of the customer's site. */
  address: string;
  status: 'active' | 'suspended' | 'deleted';
  planName: string;
  planPriceCents: number;
  planInterval: string;
  createdAt: number;
  /** The code of the price's currency; empty or null if none has been chosen. */
  currency: string | null;
  /** The subdomain of the customer's seller, for a list of the customers of all accounts. */
  seller?: string;
}

const head = ['Customer', 'Name', 'Subdomain', 'Address', 'State', 'Plan', 'Price', 'Interval', 'Created', 'Currency'];

/** Yields customers as CSV text, one chunk per part of the list. */
export async function* customersCsv<C>(
  parts: AsyncIterable<readonly C[]>,
  toCsv: (customer: C) => CsvCustomer,
  { hasSellers = false }: { hasSellers?: boolean } = {},
): AsyncGenerator<string> {
  yield CSV_BEGINNING + csvLine(hasSellers ? [...head, 'Customer of'] : head);
  for await (const part of parts) {
    if (part.length > 0) yield part.map((customer) => csvLine(cells(toCsv(customer), hasSellers))).join('');
  }
}

function cells(customer: CsvCustomer, hasSellers: boolean): CsvCell[] {
  return [
    { number: customer.id },
    customer.name,
    customer.subdomain,
    customer.address,
    customer.status,
    customer.planName,
    { number: decimal(customer.planPriceCents) },
    customer.planInterval,
    new Date(customer.createdAt).toISOString(),
    customer.currency ?? '',
    ...(hasSellers ? [customer.seller ?? ''] : []),
  ];
}
