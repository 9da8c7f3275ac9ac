import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { strings } from '../../strings.ts';

/** Links to the import of pages from a file. */
export function ImportPagesButton() {
  return (
    <Button component={Link} href="/pages/import" variant="default">
      {strings.pages.import}
    </Button>
  );
}
