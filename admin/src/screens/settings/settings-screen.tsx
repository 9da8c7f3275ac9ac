import { Box, Select, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api.ts';
import type { Permission, SessionJson } from '../../contract.ts';
import { CustomersEntry } from '../../parts/customers-entry.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { OnceKnown } from '../../parts/once-known.tsx';
import { SectionTabs } from '../../parts/section-tabs.tsx';
import { Usage } from '../../parts/usage.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { AccountSection } from './account-section.tsx';
import { AgencySection } from './agency-section.tsx';
import { words as agencyWords } from './agency-words.ts';
import { AppearanceSection } from './appearance-section.tsx';
import { ArchiveSection } from './archive-section.tsx';
import { DomainsSection } from './domains-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { LogSection } from './log-section.tsx';
import { PeopleSection } from './people-section.tsx';
import classes from './settings.module.css';
import { SiteSection } from './site-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const words = strings.settings;

interface Section {
  readonly label: string;
  /** The permission that the section needs; undefined if every user may see it. */
  readonly needs: Permission | undefined;
  /** Returns true if the section exists in this session. Without it, the section always exists. */
  readonly isFor?: (session: SessionJson) => boolean;
  readonly content: ComponentType;
}

/** False while an agency is signed in as the user: it must not see the user's sign-in, API keys, webhooks and archive. */
const isOwn = ({ impersonation }: SessionJson) => impersonation === null;

const sections: Readonly<Record<string, Section>> = {
  site: { label: words.site.title, needs: 'update_settings', content: SiteSection },
  look: { label: words.look.title, needs: 'update_theme', content: AppearanceSection },
  domains: { label: words.domains.title, needs: 'update_settings', content: DomainsSection },
  people: { label: words.people.title, needs: 'manage_users', content: PeopleSection },
  keys: { label: words.keys.title, needs: 'update_settings', isFor: isOwn, content: KeysSection },
  webhooks: { label: words.webhooks.title, needs: 'update_settings', isFor: isOwn, content: WebhooksSection },
  log: { label: words.log.title, needs: 'manage_users', content: LogSection },
  archive: { label: words.archive.title, needs: 'update_settings', isFor: isOwn, content: ArchiveSection },
  you: { label: words.you.title, needs: undefined, isFor: isOwn, content: AccountSection },
  // Last, so that no other section moves in accounts without it.
  agency: {
    label: agencyWords.title,
    needs: 'manage_users',
    isFor: ({ agency }) => agency !== null,
    content: AgencySection,
  },
};

/** The settings of the site and of its users. Each section has its own address. */
export default function SettingsScreen({ section }: { section: string | undefined }) {
  const session = useSession();
  const { permissions } = session.user;
  const isKnown = useIsKnown();
  const [, navigate] = useLocation();
  // Until the user is known, the section in the address is assumed to be allowed.
  const allowed = Object.entries(sections).filter(
    ([key, { needs, isFor = () => true }]) =>
      (!isKnown && key === section) ||
      ((!isKnown || needs === undefined || permissions.includes(needs)) && isFor(session)),
  );
  const name = section ?? allowed[0]![0];
  const shown = allowed.find(([key]) => key === name)?.[1];
  useTitle(shown?.label ?? words.title);
  // Without a section in the address, shows the first section that the user may see.
  useEffect(() => {
    if (isKnown && section === undefined) navigate(`/settings/${name}`, { replace: true });
  }, [isKnown, section, name, navigate]);
  if (!shown) return Object.hasOwn(sections, name) ? <NotFound {...words.notForRole} /> : <NotFound />;
  const Content = shown.content;
  return (
    <div className={classes.screen}>
      <div className={classes.tabs}>
        <SectionTabs
          label={words.title}
          sections={allowed.map(([key, { label }]) => [`/settings/${key}`, label])}
          current={`/settings/${name}`}
        />
      </div>
      <Select
        className={classes.chooser}
        aria-label={words.title}
        value={name}
        allowDeselect={false}
        data={allowed.map(([value, { label }]) => ({ value, label }))}
        onChange={(key) => key && navigate(`/settings/${key}`)}
      />
      <Title order={1} mb="lg">
        {shown.label}
      </Title>
      <OnceKnown>
        <Content />
      </OnceKnown>
      {name === 'site' && (
        <>
          <CustomersEntry />
          <OwnUsage />
        </>
      )}
    </div>
  );
}

/** Shows how much of its plan's limits the account uses. It is last, so that nothing moves when it loads. */
function OwnUsage() {
  const { data } = useQuery({ queryKey: ['usage'], queryFn: api.usage });
  return (
    data && (
      <Box mt="xl" maw={560}>
        <Usage usage={data} text={words.usage} onlyLimited />
      </Box>
    )
  );
}
