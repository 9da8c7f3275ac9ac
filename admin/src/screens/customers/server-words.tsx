import { Code, Text } from '@mantine/core';
import classes from './customer.module.css';
import { words } from './customer-words.ts';

/** Quotes the mail server's response about a message, if there is one. */
export function ServerWords({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <>
      <Text size="sm" mt={8}>
        {words.login.serverSaid}
      </Text>
      <Code block className={classes.words}>
        {text}
      </Code>
    </>
  );
}
