import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api.ts';
import type { MailWordsJson } from '../../contract.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useIsKnown } from '../../session.ts';
import { strings } from '../../strings.ts';
import { BrandFrame } from './brand-frame.tsx';
import { MessageChooser } from './message-chooser.tsx';
import { MessageForm } from './message-form.tsx';
import { MAIL_WORDS } from './save-words.ts';
import { messageWords as words } from './words.ts';

/** Changes the words of the messages to the account's customers. */
export default function MessagesScreen() {
  return (
    <BrandFrame title={words.title} text={words.text}>
      <Messages />
    </BrandFrame>
  );
}

function Messages() {
  const isKnown = useIsKnown();
  const [kind, setKind] = useState<MailWordsJson['kind']>('login_instructions');
  const query = useQuery({ queryKey: MAIL_WORDS, queryFn: api.mailWords });
  if (query.error) return <ErrorNotice error={query.error} onRetry={query.refetch} />;
  if (!query.data || !isKnown) return <Skeleton h={420} radius="md" opacity={0.4} />;
  const { mayChange, hasBrand, mails } = query.data;
  if (!mayChange) return <Text>{strings.refusals.not_top_level}</Text>;
  if (!hasBrand) {
    return (
      <Text>
        {words.noBrand}{' '}
        <Anchor component={Link} href="/brand">
          {words.toBrand}
        </Anchor>
      </Text>
    );
  }
  return (
    <MessageForm key={kind} mail={mails.find((mail) => mail.kind === kind)!}>
      <MessageChooser mails={mails} chosen={kind} onChoose={setKind} />
    </MessageForm>
  );
}
