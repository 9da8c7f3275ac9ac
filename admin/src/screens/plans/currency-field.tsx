import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { onlyFieldError } from '../../explain.ts';
import { setCurrency } from '../../money.ts';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './plans.module.css';
import { words } from './words.ts';

/** A field for the currency of all prices. */
export function CurrencyField() {
  const { currency } = useSession().account;
  const save = useMutation({
    mutationFn: api.changeCurrency,
    onSuccess: ({ currency: saved }) => {
      setCurrency(saved);
      showDone(words.currencySaved(saved));
      return queryClient.invalidateQueries();
    },
  });
  return (
    <NativeSelect
      className={classes.currency}
      label={words.currency}
      description={words.currencyText}
      data={[...(currency === null ? [{ value: '', label: words.noCurrency }] : []), ...currencies()]}
      value={(save.isPending ? save.variables : currency) ?? ''}
      disabled={save.isPending}
      error={save.error ? onlyFieldError(save.error, 'currency') : undefined}
      onChange={({ currentTarget: { value } }) => value !== '' && save.mutate(value)}
    />
  );
}

/** Returns all currencies as options, sorted by name. */
function currencies() {
  const names = new Intl.DisplayNames(strings.locale, { type: 'currency' });
  return Intl.supportedValuesOf('currency')
    .map((value) => ({ value, label: `${names.of(value)} (${value})` }))
    .sort((one, other) => one.label.localeCompare(other.label, strings.locale));
}
