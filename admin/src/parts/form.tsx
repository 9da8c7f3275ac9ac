import { Alert, type AlertProps, PasswordInput, type PasswordInputProps, Stack, type StackProps } from '@mantine/core';
import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from 'react';
import { explain, fieldErrors } from '../explain.ts';
import { strings } from '../strings.ts';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
  readonly gap?: StackProps['gap'];
  readonly error?: unknown;
}

/** A form that the app submits itself. Shows an error that belongs to no field above the fields. */
export function Form({ onSubmit, gap = 'md', error, children, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        // React passes events of a dialog on to the form of the screen that renders it.
        event.stopPropagation();
        onSubmit();
      }}
    >
      <Stack gap={gap}>
        <FormError error={error} />
        {children}
      </Stack>
    </form>
  );
}

interface ErrorAlertProps extends AlertProps {
  readonly error: unknown;
  readonly children?: ReactNode;
}

/** Shows a form's error, unless it belongs to a field. */
export function FormError({ error, ...props }: ErrorAlertProps) {
  return <ErrorAlert error={Object.keys(fieldErrors(error)).length === 0 && error} {...props} />;
}

/** Shows an error if there is one. */
export function ErrorAlert({ error, children, ...props }: ErrorAlertProps) {
  if (!error) return null;
  return (
    <Alert color="red" variant="light" role="alert" {...props}>
      {children ?? explain(error)}
    </Alert>
  );
}

interface Fields<T> {
  readonly values: T;
  readonly set: (change: Partial<T>) => void;
}

export function useFields<T extends object>(initial: T): Fields<T> {
  const [values, setValues] = useState(initial);
  return { values, set: (change) => setValues((before) => ({ ...before, ...change })) };
}

/** Returns a function that returns the input props for a field's name: its value, error and change handler. */
export function fieldProps<T extends object>({ values, set }: Fields<T>, error?: unknown) {
  const errors = fieldErrors(error);
  return <Name extends keyof T & string>(name: Name) => ({
    value: values[name],
    error: errors[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => set({ [name]: value } as Partial<T>),
  });
}

/** The field for the user's current password. */
export function CurrentPassword(props: PasswordInputProps) {
  return <PasswordInput label={strings.fields.current} autoComplete="current-password" required {...props} />;
}

/** The field for a new password. */
export function NewPasswordInput(props: PasswordInputProps) {
  return <PasswordInput minLength={8} autoComplete="new-password" required {...props} />;
}
