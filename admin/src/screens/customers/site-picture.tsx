import { Anchor, Text } from '@mantine/core';
import type { CustomerDetailsJson } from '../../contract.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';

type Customer = Pick<CustomerDetailsJson, 'id' | 'name' | 'address' | 'status' | 'deletesAt' | 'hasPage'>;

/** Shows a small picture of the home page of a customer's website, as visitors see it, which links to the website. */
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
      {/* The frame is only a picture: no script runs in it, and it cannot be focused or clicked. */}
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
