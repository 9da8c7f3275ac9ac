import { cacheUntilWrite, type Lookup } from '../db/change-cache.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { hashToken } from '../users/token.ts';
import { type BrandImage, brandImage } from './brand-image.ts';
import { brandOwner } from './brand-of.ts';

/** A brand as the admin app and its sign-in page show it. */
export interface ShownBrand {
  readonly name: string;
  /** The colour as `#rrggbb` in lower case. */
  readonly accent: string;
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
  readonly legalNoticeUrl: string | null;
  readonly privacyUrl: string | null;
  readonly termsUrl: string | null;
  readonly logo: BrandImage | null;
  /** The logo for dark mode; null to use `logo`. */
  readonly logoDark: BrandImage | null;
  readonly icon: BrandImage | null;
}

/** The columns of a joined brand, for `shownBrand`. */
export const brandColumns = [
  'brands.name as brandName',
  'brands.accent as brandAccent',
  'brands.support_email as supportEmail',
  'brands.support_url as supportUrl',
  'brands.legal_notice_url as legalNoticeUrl',
  'brands.privacy_url as privacyUrl',
  'brands.terms_url as termsUrl',
  'brands.logo',
  'brands.logo_dark as logoDark',
  'brands.icon',
] as const;

type ImageField = 'logo' | 'logoDark' | 'icon';

type JoinedBrand = { brandName: string | null; brandAccent: string | null } & Omit<
  ShownBrand,
  'name' | 'accent' | ImageField
> & { readonly [F in ImageField]: string | null };

/** Returns the joined brand of a row; null if the row has none. */
export function shownBrand(row: JoinedBrand): ShownBrand | null {
  const { brandName, brandAccent, supportEmail, supportUrl, legalNoticeUrl, privacyUrl, termsUrl } = row;
  if (brandName === null || brandAccent === null) return null;
  return {
    name: brandName,
    accent: brandAccent,
    supportEmail,
    supportUrl,
    legalNoticeUrl,
    privacyUrl,
    termsUrl,
    logo: brandImage(row.logo),
    logoDark: brandImage(row.logoDark),
    icon: brandImage(row.icon),
  };
}

/** Finds the brand for a visitor who has not been authenticated, or has only sent a session cookie. */
export interface BrandLookup {
  readonly bySubdomain: Lookup<ShownBrand>;
  readonly bySession: (token: string) => Promise<ShownBrand | undefined>;
  /** Finds the account's own brand. */
  readonly ofAccount: (accountId: number) => Promise<ShownBrand | undefined>;
}

/** Creates the lookups of one process. */
export function brandLookup(db: Db): BrandLookup {
  return {
    bySubdomain: brandFinder(db),
    bySession: (token) => findBrandOfSession(db, token),
    ofAccount: async (accountId) => {
      const [row] = await selectOwn(db, { accountId });
      return (row && shownBrand(row)) ?? undefined;
    },
  };
}

/** Returns the brand that the user of a session sees, even if the session has ended: the brand is no secret. */
async function findBrandOfSession(db: Db, token: string): Promise<ShownBrand | undefined> {
  const [row] = await selectBySession(db, { hash: hashToken(token) });
  return (row && shownBrand(row)) ?? undefined;
}

/** Creates the lookup, for one process, of the brand that the users of an account see, by the account's subdomain. */
export function brandFinder(db: Db): Lookup<ShownBrand> {
  return cacheUntilWrite(db, async (subdomain) => {
    const [row] = await selectBySubdomain(db, { subdomain });
    return (row && shownBrand(row)) ?? undefined;
  });
}

const selectBySubdomain = prepared<{ subdomain: string }, JoinedBrand>((db, parameter) =>
  db
    .selectFrom('accounts')
    .innerJoin('brands', (join) => join.on('brands.account_id', '=', brandOwner('accounts.id')))
    .select(brandColumns)
    .where('accounts.subdomain', '=', parameter('subdomain')),
);

const selectBySession = prepared<{ hash: string }, JoinedBrand>((db, parameter) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .innerJoin('brands', (join) => join.on('brands.account_id', '=', brandOwner('accounts.id')))
    .select(brandColumns)
    .where('sessions.token_hash', '=', parameter('hash')),
);

const selectOwn = prepared<{ accountId: number }, JoinedBrand>((db, parameter) =>
  db.selectFrom('brands').select(brandColumns).where('brands.account_id', '=', parameter('accountId')),
);
