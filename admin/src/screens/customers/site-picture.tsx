import { Anchor, Text } from '@mantine/core';
import type { CustomerDetailsJson } from '../../contract.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';

type Customer = Pick<CustomerDetailsJson, 'id' | 'name' | 'address' | 'status' | 'deletesAt' | 'hasPage'>;

/** Shows the first page of a customer's website in small, as visitors see it, and leads there. */
export function SitePicture(customer: Customer) {
  const { id, name, address } = customer;
  const instead = reasonForNone(customer);
  if (instead) {
    return (
      <div className={classes.picture}>
        <Text size="sm" c="dimmed" className={classes.noPicture}>
          {instead}
        </Text>
      </div>
    );
  }
  return (
    <div className={classes.picture}>
      {/* In the frame no script runs, and nobody gets into it: it is a picture. */}
      <div inert>
        <iframe sandbox="" loading="lazy" src={`/admin/customers/${id}/picture`} title={words.picture(name)} />
      </div>
      <Anchor href={address} target="_blank" className={classes.pictureLink} aria-label={words.openSite(name)} />
    </div>
  );
}

function reasonForNone({ status, deletesAt, hasPage }: Customer): string | undefined {
  if (deletesAt !== null) return words.noPicture.deleted;
  if (status === 'suspended') return words.noPicture.suspended;
  return hasPage ? undefined : words.noPicture.unpublished;
}
