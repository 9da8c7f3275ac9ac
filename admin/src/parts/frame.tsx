import {
  ActionIcon,
  Anchor,
  AppShell,
  Box,
  Burger,
  Group,
  Loader,
  Menu,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import {
  ChartNoAxesCombined,
  ExternalLink,
  FileText,
  Image,
  LayoutDashboard,
  LayoutTemplate,
  LifeBuoy,
  LogOut,
  Monitor,
  Moon,
  Palette,
  Settings,
  Sun,
  Tags,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../api.ts';
import { linksOf, useBrand } from '../brand.ts';
import { showError } from '../explain.ts';
import { firstPath, hasOverview } from '../first-screen.ts';
import { useIsKnown, useMay, useSession } from '../session.ts';
import { leave } from '../signed-in.ts';
import { strings } from '../strings.ts';
import { BrandStyle } from './brand-style.tsx';
import classes from './frame.module.css';
import { Logo } from './logo.tsx';
import { useArrival } from './use-arrival.ts';
import { useLaterUndo } from './use-later-undo.ts';
import { useRestoredFocus } from './use-restored-focus.ts';
import { VisitBanner } from './visit-banner.tsx';

const words = strings.frame;

/** The frame of every screen: the site's name, the navigation and the user menu. */
export function Frame({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const session = useSession();
  const { account, hasCustomers, impersonation } = session;
  const maySeeCustomers = useMay('view_customers');
  const mayManagePlans = useMay('manage_plans');
  const mayManageCustomers = useMay('manage_customers');
  const maySeeRevenue = useMay('view_revenue');
  const mayManageBrand = useMay('manage_brand');
  const isKnown = useIsKnown();
  const brand = useBrand();
  const maySeePages = useMay('view_pages') || !isKnown;
  const main = useRef<HTMLElement>(null);
  useArrival(main);
  useRestoredFocus();
  useLaterUndo();
  // Closes the menu when the address changes.
  useEffect(close, [location]);
  const burger = useRef<HTMLButtonElement>(null);
  useHotkeys([
    [
      'Escape',
      () => {
        if (!opened) return;
        close();
        burger.current?.focus();
      },
      { preventDefault: false },
    ],
  ]);
  return (
    <AppShell
      header={{ height: 'calc(56px + var(--app-visit))' }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <BrandStyle />
      <a className={classes.skip} href="#main">
        {words.skip}
      </a>
      {impersonation && <VisitBanner impersonation={impersonation} />}
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              ref={burger}
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-expanded={opened}
              aria-label={opened ? words.closeMenu : words.openMenu}
            />
            <Link
              href={firstPath(session)}
              className={classes.brand}
              aria-label={account.name ? undefined : words.pages}
            >
              <Logo size={28} />
              <Text component="span" fw={650} truncate>
                {account.name}
              </Text>
              {/* The HTML of the build has no brand, and hydration must render the same. */}
              {isKnown && brand && (
                <Text component="span" size="sm" c="dimmed" truncate visibleFrom="sm" data-brand-name>
                  {brand.name}
                </Text>
              )}
            </Link>
          </Group>
          <Group gap={4} wrap="nowrap">
            <Anchor href={account.address || undefined} target="_blank" className={classes.site} underline="never">
              <ExternalLink size={16} aria-hidden />
              <span className={classes.siteLabel}>{words.viewSite}</span>
            </Anchor>
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.navbar} aria-label={words.navigation} data-open={opened || undefined}>
        {hasOverview(session) && (
          <Entry href="/overview" icon={<LayoutDashboard size={18} aria-hidden />} label={words.overview} />
        )}
        {maySeePages && (
          <>
            <Entry href="/pages" icon={<FileText size={18} aria-hidden />} label={words.pages} />
            <Entry href="/images" icon={<Image size={18} aria-hidden />} label={words.images} />
            <Entry href="/trash" icon={<Trash2 size={18} aria-hidden />} label={words.trash} />
          </>
        )}
        {(hasCustomers || !maySeePages) && maySeeCustomers && (
          <Entry href="/customers" icon={<Users size={18} aria-hidden />} label={words.customers} />
        )}
        {hasCustomers && mayManageCustomers && (
          <Entry href="/templates" icon={<LayoutTemplate size={18} aria-hidden />} label={words.templates} />
        )}
        {hasCustomers && mayManagePlans && (
          <Entry href="/plans" icon={<Tags size={18} aria-hidden />} label={words.plans} />
        )}
        {hasCustomers && maySeeRevenue && (
          <Entry href="/revenue" icon={<ChartNoAxesCombined size={18} aria-hidden />} label={words.revenue} />
        )}
        {hasCustomers && mayManageBrand && (
          <Entry href="/brand" icon={<Palette size={18} aria-hidden />} label={words.brand} />
        )}
        <Entry href="/settings" icon={<Settings size={18} aria-hidden />} label={words.settings} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1} className={classes.main}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

function Entry({ href, icon, label }: { href: string; icon: ReactNode; label: string }) {
  const [location] = useLocation();
  const active = location === href || location.startsWith(`${href}/`);
  return (
    <Link href={href} className={classes.entry} aria-current={active ? 'page' : undefined}>
      {icon}
      {label}
    </Link>
  );
}

function PersonMenu() {
  const { user, impersonation } = useSession();
  const links = linksOf(useBrand());
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useMutation({
    mutationFn: api.signOut,
    onError: showError,
    // Reloads the document, so that no data of the account stays in memory.
    onSuccess: leave,
  });
  const isLeaving = signOut.isPending || signOut.isSuccess;
  const schemes = [
    ['auto', words.schemeAuto, <Monitor key="auto" size={16} aria-hidden />],
    ['light', words.schemeLight, <Sun key="light" size={16} aria-hidden />],
    ['dark', words.schemeDark, <Moon key="dark" size={16} aria-hidden />],
  ] as const;
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          aria-label={words.person(user.name)}
          size={36}
          radius="xl"
          variant="default"
          className={classes.person}
        >
          {/* Only visual, and drawn by CSS: screen readers read the button's label. */}
          {user.name ? <span data-initials={initialsOf(user.name)} aria-hidden /> : <UserRound size={18} aria-hidden />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py={6}>
          <Text component="div" fw={600} size="sm" truncate>
            {user.name}
          </Text>
          <Text component="div" c="dimmed" size="xs" truncate>
            {user.email}
          </Text>
        </Box>
        {!impersonation && (
          <Menu.Item component={Link} href="/settings/you" leftSection={<UserRound size={16} aria-hidden />}>
            {words.yourAccount}
          </Menu.Item>
        )}
        {links.length > 0 && <Menu.Divider />}
        {links.map(({ label, href }) => (
          <Menu.Item
            key={href}
            component="a"
            href={href}
            target="_blank"
            leftSection={<LifeBuoy size={16} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {schemes.map(([scheme, label, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={icon}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? '✓' : undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={isLeaving ? <Loader size={16} aria-hidden /> : <LogOut size={16} aria-hidden />}
          closeMenuOnClick={false}
          disabled={isLeaving}
          onClick={() => signOut.mutate()}
        >
          {isLeaving ? words.signingOut : words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Returns the initials of the first and last name, or an empty text while the user is unknown. */
function initialsOf(name: string): string {
  const names = name.trim().split(/\s+/);
  const [first = '', last = ''] = [names[0], names.length > 1 ? names.at(-1) : ''];
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase(strings.locale);
}
