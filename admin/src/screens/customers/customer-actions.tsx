import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CustomerDetailsJson } from '../../contract.ts';
import { ErrorAlert } from '../../parts/form.tsx';
import { OfferDialog } from '../../parts/offer-dialog.tsx';
import { useMay } from '../../session.ts';
import { formatCalendarDate } from '../../times.ts';
import { DeleteDialog, PlanDialog, SuspendDialog } from './action-dialogs.tsx';
import { words } from './action-words.ts';
import { endSuspension, undelete } from './customer-changes.ts';
import { peopleToActFor, SignInAsDialog } from './sign-in-as-dialog.tsx';

interface ActionsProps {
  readonly customer: CustomerDetailsJson;
}

/** The agency's actions on a customer. */
export function CustomerActions({ customer }: ActionsProps) {
  const mayManage = useMay('manage_customers');
  const { status, suspensionReason, deletesAt } = customer;
  return (
    <>
      {deletesAt !== null && <Text>{words.deletedUntil(formatCalendarDate(deletesAt))}</Text>}
      {deletesAt === null && status === 'suspended' && suspensionReason !== null && (
        <Text size="sm">{words.because(suspensionReason)}</Text>
      )}
      {mayManage && (deletesAt === null ? <Present customer={customer} /> : <Deleted customer={customer} />)}
    </>
  );
}

function Deleted({ customer }: ActionsProps) {
  const restore = useMutation({ mutationFn: () => undelete(customer) });
  return (
    <>
      <ErrorAlert error={restore.error} />
      <Group>
        <Button loading={restore.isPending} onClick={() => restore.mutate()}>
          {words.undelete}
        </Button>
      </Group>
    </>
  );
}

function Present({ customer }: ActionsProps) {
  const [openDialog, setOpenDialog] = useState<'plan' | 'suspend' | 'delete' | 'offer' | 'sign in'>();
  const end = useMutation({ mutationFn: () => endSuspension(customer) });
  const close = () => setOpenDialog(undefined);
  return (
    <>
      <ErrorAlert error={end.error} />
      <Group gap="sm">
        {customer.status === 'active' && customer.isSignInAllowed && peopleToActFor(customer).length > 0 && (
          <Button variant="default" onClick={() => setOpenDialog('sign in')}>
            {words.signInAs}
          </Button>
        )}
        <Button variant="default" onClick={() => setOpenDialog('plan')}>
          {words.plan}
        </Button>
        {customer.status === 'active' ? (
          <Button variant="default" onClick={() => setOpenDialog('suspend')}>
            {words.suspend}
          </Button>
        ) : (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            {words.restore}
          </Button>
        )}
        <Button variant="default" component={Link} href={`/customers/new?site=${customer.id}`}>
          {words.duplicate}
        </Button>
        <Button variant="default" onClick={() => setOpenDialog('offer')}>
          {words.offer}
        </Button>
        <Button variant="default" onClick={() => setOpenDialog('delete')}>
          {words.delete}
        </Button>
      </Group>
      {!customer.isSignInAllowed && <Text size="sm">{words.signInForbidden}</Text>}
      <SignInAsDialog customer={customer} opened={openDialog === 'sign in'} onClose={close} />
      <PlanDialog customer={customer} opened={openDialog === 'plan'} onClose={close} />
      <SuspendDialog customer={customer} opened={openDialog === 'suspend'} onClose={close} />
      <OfferDialog offered={openDialog === 'offer' ? { site: customer } : undefined} onClose={close} />
      <DeleteDialog customer={customer} opened={openDialog === 'delete'} onClose={close} />
    </>
  );
}
