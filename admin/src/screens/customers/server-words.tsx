import { Code, Text } from '@mantine/core';
import classes from './customer.module.css';
import { words } from './customer-words.ts';

/** Quotes what the mail server said of a message, if it said anything. */
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
