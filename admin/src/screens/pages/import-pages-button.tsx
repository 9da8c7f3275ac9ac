import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { strings } from '../../strings.ts';

/** Leads to where pages are made of a file. */
export function ImportPagesButton() {
  return (
    <Button component={Link} href="/pages/import" variant="default">
      {strings.pages.import}
    </Button>
  );
}
