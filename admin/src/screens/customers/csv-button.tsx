import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { type CustomerView, queryOf } from './customer-view.ts';
import { words } from './filter-words.ts';

interface CsvButtonProps {
  readonly view: CustomerView;
  readonly wanted: string;
  /** True if the search has found more customers than it shows, which the file would lack, too. */
  readonly isCut: boolean;
}

/** Saves all customers that match the filters and the search as CSV. */
export function CsvButton({ view, wanted, isCut }: CsvButtonProps) {
  const button = { variant: 'default', leftSection: <Download size={16} aria-hidden />, children: words.csv };
  if (isCut) return <Button {...button} disabled title={words.csvCut} />;
  return (
    <Button
      {...button}
      component="a"
      href={`/admin/customers.csv?${new URLSearchParams(queryOf(view, wanted))}`}
      download
    />
  );
}
