import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { databases, onSqlite, openTestDatabase } from '../../../test/databases.ts';
import { startDnsServer } from '../../../test/dns-server.ts';
import { actor, makeAccount, makeCustomer, quota, settings, unique } from '../../../test/factories.ts';
import { makeUser, PASSWORD, Person, tokenFor } from '../../../test/person.ts';
import { type Service, startService } from '../../../test/service.ts';
import { suspendCustomer } from '../../accounts/change-customer.ts';
import { createCustomer } from '../../accounts/create-customer.ts';
import { deleteCustomer } from '../../accounts/delete-customer.ts';
import { prepareInvitedCustomer } from '../../accounts/prepare-invited-customer.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { changeBrand } from '../../brands/change-brand.ts';
import { readConfig } from '../../config.ts';
import { startImport } from '../../customer-imports/start-import.ts';
import { stopImport } from '../../customer-imports/stop-import.ts';
import { addNote, deleteNote } from '../../customers/notes.ts';
import { type Db, dialectOf, type Trx } from '../../db/database.ts';
import { addDomain } from '../../domains/add-domain.ts';
import { removeDomain } from '../../domains/remove-domain.ts';
import { addMedia } from '../../media/add-media.ts';
import { openMediaStore } from '../../media/open-store.ts';
import { removeMedia } from '../../media/remove-media.ts';
import { registerClient } from '../../oauth/client.ts';
import { type TableName, tableNames } from '../../operations/tables.ts';
import { createPage } from '../../pages/create-page.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { addRedirect } from '../../pages/page-redirects.ts';
import { updatePage } from '../../pages/update-page.ts';
import { retirePlan } from '../../plans/change-plan.ts';
import { createPlan, listPlans } from '../../plans/plans.ts';
import { changePrice } from '../../scheduled-changes/change-price.ts';
import { offerTemplate, retireTemplate } from '../../templates/change-template.ts';
import { startPush, templateVersion } from '../../templates/pushes.ts';
import { getTemplate } from '../../templates/templates.ts';
import { createUser } from '../../users/create-user.ts';
import { endSessions } from '../../users/end-sessions.ts';
import { type LinkPurpose, makeLink } from '../../users/one-time-links.ts';
import { addPasskey } from '../../users/passkeys/register-passkey.ts';
import { removePasskey } from '../../users/passkeys/remove-passkey.ts';
import { removeUser } from '../../users/remove-user.ts';
import type { Role } from '../../users/roles.ts';
import { addWebhook } from '../../webhooks/add-webhook.ts';
import { removeWebhook } from '../../webhooks/change-webhook.ts';
import { MemoryCounter, RateLimit } from '../limits.ts';
import { SessionCookie } from '../session-cookie.ts';
import { Background } from './background.ts';
import type { AdminRoute } from './route.ts';
import { adminRoutes } from './routes.ts';

/*
 * Tests the permissions of every route: for every role, and for things of the user's own account, its parent, a child and an
 * unrelated account. The rows are written by hand, so that none follows from the tested code. A route without a row fails.
 */

const EVERYBODY: readonly Role[] = ['accountant', 'viewer', 'editor', 'admin', 'owner'];
const VIEWERS: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];
const EDITORS: readonly Role[] = ['editor', 'admin', 'owner'];
const ADMINS: readonly Role[] = ['admin', 'owner'];
const ACCOUNTANTS: readonly Role[] = ['accountant', 'admin', 'owner'];

/** The roles whose requests succeed; all others get 403. Rows name the permission, since roles share several permissions. */
const allowed: Readonly<Record<AdminRoute['needs'], readonly Role[] | 'anyone'>> = {
  anyone: 'anyone',
  session: EVERYBODY,
  view_pages: VIEWERS,
  view_revenue: ACCOUNTANTS,
  edit_pages: EDITORS,
  administer_pages: EDITORS,
  manage_users: ADMINS,
  update_settings: ADMINS,
  update_theme: ADMINS,
  view_customers: ACCOUNTANTS,
  manage_customers: ADMINS,
  manage_plans: ADMINS,
  manage_brand: ADMINS,
};

interface Row {
  /** `anyone` requires no session; `session` requires a session, with any role. */
  needs: AdminRoute['needs'];
  /** The status of a permitted request. */
  ok: number;
  /** Creates a thing in the account for the request, and returns its id for the path. */
  thing?: (trx: Trx, account: Account, userId: number) => Promise<number>;
  headers?: OutgoingHttpHeaders;
  query?: string;
  /** Waits for background work of the request, which requires no session any more. */
  settled?: (db: Db) => Promise<unknown>;
  /** The word of the only other account that may appear in the response. */
  shows?: string;
  /** Returns the body of the request. */
  body?: (db: Db, account: Account) => Promise<object> | object;
}

/** The type of CSV files, which no form can send. */
const csv = { 'Content-Type': 'text/csv' };

/** The routes that accept bodies of up to 20 MB: texts of pages, images and archives. */
const pageRoutes: ReadonlySet<string> = new Set([
  'POST /admin/pages',
  'PATCH /admin/pages/:id',
  'PUT /admin/pages/:id/draft',
  'POST /admin/pages/:id/publish',
  'POST /admin/pages/:id/preview',
  'POST /admin/preview',
  'POST /admin/media',
  'POST /admin/brand/images',
  'POST /admin/page-imports',
]);

/** The routes that accept a file of customers. */
const fileRoutes: ReadonlySet<string> = new Set(['POST /admin/imports/check', 'POST /admin/imports']);

/** The authorization request of a program, as in the URL that it opens. */
const authorizationQuery = {
  client_id: registerClient({ name: 'Claude', redirectUris: ['https://claude.example/callback'] }),
  redirect_uri: 'https://claude.example/callback',
  response_type: 'code',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};

const rows: Readonly<Record<string, Row>> = {
  'POST /admin/sign-in': {
    needs: 'anyone',
    ok: 200,
    body: async (db, { id }) => ({ email: (await makeUser(db, id)).email, password: PASSWORD }),
  },
  'POST /admin/sign-out': { needs: 'anyone', ok: 204 },
  'POST /admin/sign-out-everywhere': { needs: 'session', ok: 204 },
  // The session names the agency that sells the account.
  'GET /admin/session': { needs: 'session', ok: 200, shows: 'parental' },
  'GET /admin/sessions': { needs: 'session', ok: 200 },
  // Another test covers sessions of other users of the account.
  'DELETE /admin/sessions/:id': { needs: 'session', ok: 204, thing: session },
  'POST /admin/forgotten-password': {
    needs: 'anyone',
    ok: 204,
    body: () => ({ email: `${unique('nobody')}@example.com` }),
  },
  'POST /admin/one-time-link': { needs: 'anyone', ok: 200, body: async (db, own) => ({ token: await link(db, own) }) },
  'POST /admin/reset-password': {
    needs: 'anyone',
    ok: 200,
    body: async (db, own) => ({ token: await link(db, own), password: PASSWORD }),
  },
  'POST /admin/sign-in-link': {
    needs: 'anyone',
    ok: 200,
    body: async (db, own) => ({ token: await link(db, own, 'sign_in') }),
  },
  'POST /admin/welcome': {
    needs: 'session',
    // A permitted request gets this far: all users in this test have a password.
    ok: 409,
    body: () => ({ name: 'Olivia Owner', email: `${unique('olivia')}@example.com`, password: PASSWORD }),
  },
  'POST /admin/password': {
    needs: 'session',
    ok: 204,
    body: () => ({ current: PASSWORD, password: PASSWORD, confirmation: PASSWORD }),
  },
  'PATCH /admin/you': { needs: 'session', ok: 204, body: () => ({ name: 'Somebody Else' }) },
  'POST /admin/email': {
    needs: 'session',
    ok: 204,
    body: () => ({ email: `${unique('new')}@example.com`, current: PASSWORD }),
  },
  'POST /admin/confirm-email': {
    needs: 'anyone',
    ok: 200,
    body: async (db, own) => ({ token: await link(db, own, 'change_email', `${unique('new')}@example.com`) }),
  },
  'POST /admin/second-factor': { needs: 'session', ok: 200, body: () => ({ current: PASSWORD }) },
  // A permitted request gets this far: there is nothing to confirm.
  'POST /admin/second-factor/confirm': { needs: 'session', ok: 409, body: () => ({ code: '123456' }) },
  'POST /admin/second-factor/remove': { needs: 'session', ok: 204, body: () => ({ current: PASSWORD }) },

  'POST /admin/passkeys/challenge': { needs: 'anyone', ok: 200 },
  // A permitted request gets this far: no user in this test can sign in with a passkey.
  'POST /admin/passkeys/sign-in': { needs: 'anyone', ok: 401, body: () => ({ answer: noPasskey }) },
  'GET /admin/passkeys': { needs: 'session', ok: 200 },
  'POST /admin/passkeys/begin': { needs: 'session', ok: 200, body: () => ({ current: PASSWORD }) },
  'POST /admin/passkeys': { needs: 'session', ok: 409, body: () => ({ name: 'Phone', answer: noPasskey }) },
  'PATCH /admin/passkeys/:id': { needs: 'session', ok: 204, thing: passkey, body: () => ({ name: 'Laptop' }) },
  'DELETE /admin/passkeys/:id': { needs: 'session', ok: 204, thing: passkey },
  // Only the session that deleted the passkey can restore it, which another test covers.
  'POST /admin/passkeys/:id/restore': { needs: 'session', ok: 404, thing: removedPasskey },

  'GET /admin/users': { needs: 'manage_users', ok: 200 },
  'POST /admin/users': {
    needs: 'manage_users',
    ok: 201,
    body: () => ({ name: 'Ned New', email: `${unique('ned')}@example.com`, role: 'editor' }),
  },
  'POST /admin/users/:id/invite': { needs: 'manage_users', ok: 204, thing: user },
  'PATCH /admin/users/:id': { needs: 'manage_users', ok: 204, thing: user, body: () => ({ role: 'viewer' }) },
  'DELETE /admin/users/:id': { needs: 'manage_users', ok: 204, thing: user },
  'POST /admin/users/:id/restore': { needs: 'manage_users', ok: 204, thing: removedUser },

  'GET /admin/settings': { needs: 'update_settings', ok: 200 },
  'GET /admin/to-do': { needs: 'update_settings', ok: 200 },
  'GET /admin/usage': { needs: 'update_settings', ok: 200 },
  'PATCH /admin/settings': {
    needs: 'update_settings',
    ok: 200,
    body: () => ({ theme: 'business', timeZone: 'Europe/Berlin' }),
  },
  'GET /admin/keys': { needs: 'update_settings', ok: 200 },
  'POST /admin/keys': { needs: 'update_settings', ok: 201, body: () => ({ name: 'Shop' }) },
  'POST /admin/keys/:id/rotate': { needs: 'update_settings', ok: 201, thing: key },
  'DELETE /admin/keys/:id': { needs: 'update_settings', ok: 204, thing: key },
  'POST /admin/keys/:id/restore': { needs: 'update_settings', ok: 204, thing: revokedKey },
  'POST /admin/keys/:id/revoke-with-issued': { needs: 'update_settings', ok: 204, thing: key },
  'GET /admin/authorization': {
    needs: 'update_settings',
    ok: 200,
    query: `?${new URLSearchParams(authorizationQuery)}`,
  },
  // Records nothing: the key is recorded when the program exchanges the code for it.
  'POST /admin/authorizations': {
    needs: 'update_settings',
    ok: 201,
    body: () => ({ ...authorizationQuery, scopes: ['pages:read'] }),
  },
  'GET /admin/webhooks': { needs: 'update_settings', ok: 200 },
  'POST /admin/webhooks': {
    needs: 'update_settings',
    ok: 201,
    body: (_, { word }) => ({ url: `https://${unique('hook')}.${word}.example/` }),
  },
  'GET /admin/webhooks/:id/deliveries': { needs: 'update_settings', ok: 200, thing: webhook },
  'POST /admin/webhooks/:id/secret': { needs: 'update_settings', ok: 200, thing: webhook },
  'POST /admin/webhooks/:id/test': { needs: 'update_settings', ok: 200, thing: privateWebhook },
  // There is no such event: sending a real one would require a receiver.
  'POST /admin/webhooks/:id/replay': { needs: 'update_settings', ok: 422, thing: webhook, body: () => ({ event: 0 }) },
  'POST /admin/webhooks/:id/resume': { needs: 'update_settings', ok: 204, thing: pausedWebhook },
  'POST /admin/webhooks/:id/resend': { needs: 'update_settings', ok: 204, thing: webhook, body: () => ({ from: 1 }) },
  'PATCH /admin/webhooks/:id': { needs: 'update_settings', ok: 204, thing: webhook, body: () => ({ kinds: ['plan'] }) },
  'DELETE /admin/webhooks/:id': { needs: 'update_settings', ok: 204, thing: webhook },
  'POST /admin/webhooks/:id/restore': { needs: 'update_settings', ok: 204, thing: removedWebhook },
  'GET /admin/archive': { needs: 'update_settings', ok: 200 },
  'POST /admin/archive': { needs: 'update_settings', ok: 201, body: withoutArchive },
  // There is no archive yet.
  'GET /admin/archive/file': { needs: 'update_settings', ok: 404 },
  'GET /admin/domains': { needs: 'update_settings', ok: 200 },
  'POST /admin/domains': { needs: 'update_settings', ok: 201, body: () => ({ host: `${unique('www')}.example.com` }) },
  'POST /admin/domains/:id/verify': { needs: 'update_settings', ok: 200, thing: domain },
  // A permitted request gets this far: only top-level accounts can have a domain for the app.
  'POST /admin/domains/:id/use': { needs: 'manage_brand', ok: 409, thing: domain, body: () => ({ isApp: true }) },
  'DELETE /admin/domains/:id': { needs: 'update_settings', ok: 204, thing: domain },
  'POST /admin/domains/:id/restore': { needs: 'update_settings', ok: 204, thing: removedDomain },
  'GET /admin/revenue': { needs: 'view_revenue', ok: 200 },
  'GET /admin/revenue.csv': { needs: 'view_revenue', ok: 200 },
  'GET /admin/revenue/forecast': { needs: 'view_revenue', ok: 200 },
  'GET /admin/revenue/forecast/changes': { needs: 'view_revenue', ok: 200 },
  'GET /admin/revenue/forecast.csv': { needs: 'view_revenue', ok: 200 },
  'GET /admin/revenue/cohorts': { needs: 'view_revenue', ok: 200 },
  'GET /admin/revenue/customers.csv': { needs: 'view_revenue', ok: 200, query: '?figure=paying' },
  'GET /admin/revenue/customers': { needs: 'view_revenue', ok: 200, query: '?figure=paying' },
  'GET /admin/log': { needs: 'manage_users', ok: 200 },

  'GET /admin/overview': { needs: 'view_customers', ok: 200, shows: 'childish' },
  'GET /admin/customers': { needs: 'view_customers', ok: 200, shows: 'childish' },
  'GET /admin/customers.csv': { needs: 'view_customers', ok: 200, shows: 'childish' },
  'GET /admin/customers/:id': { needs: 'view_customers', ok: 200, thing: customer },
  'GET /admin/customers/:id/picture': { needs: 'view_customers', ok: 200, thing: customerWithPage },
  'GET /admin/customers/:id/log': { needs: 'view_customers', ok: 200, thing: customer },
  'GET /admin/customer-messages/:id': { needs: 'view_customers', ok: 200, thing: customerMessage },
  'POST /admin/customers': {
    needs: 'manage_customers',
    ok: 201,
    body: () => ({ name: 'Bakery', subdomain: unique('bakery'), userName: 'Ann', email: 'ann@example.com' }),
  },
  'GET /admin/customers/subdomain': { needs: 'manage_customers', ok: 200, query: '?subdomain=bakery' },
  'POST /admin/customers/:id/instructions': { needs: 'manage_customers', ok: 200, thing: customer },
  'GET /admin/customers/deleted': { needs: 'view_customers', ok: 200 },
  'POST /admin/customers/:id/plan': {
    needs: 'manage_customers',
    ok: 200,
    thing: customer,
    body: async (db, { id }) => {
      const planId = await newPlan(db, id);
      const plans = await listPlans(db, id);
      return { planId, seenPlanId: plans.find(({ is_default }) => is_default === 1)!.id };
    },
  },
  'PUT /admin/customers/:id/scheduled-change': {
    needs: 'manage_customers',
    ok: 200,
    thing: customer,
    body: async (db, { id }) => ({ planId: await newPlan(db, id), day: '2100-01-01', seenId: null }),
  },
  // Permitted requests get this far: nothing is scheduled.
  'POST /admin/customers/:id/scheduled-change/cancel': {
    needs: 'manage_customers',
    ok: 409,
    thing: customer,
    body: () => ({ seenId: 1 }),
  },
  'POST /admin/customers/:id/scheduled-change/restore': {
    needs: 'manage_customers',
    ok: 409,
    thing: customer,
    body: () => ({ scheduledId: 1, seenId: null }),
  },
  'POST /admin/customers/:id/suspend': {
    needs: 'manage_customers',
    ok: 200,
    thing: customer,
    body: () => ({ reason: 'It has not been paid for.' }),
  },
  'POST /admin/customers/:id/restore': {
    needs: 'manage_customers',
    ok: 200,
    thing: suspendedCustomer,
    body: () => ({ seenReason: null }),
  },
  'POST /admin/customers/changes': {
    needs: 'manage_customers',
    ok: 200,
    body: async (db, { id }) => ({ changes: [{ kind: 'suspend', id: await makeCustomer(db, id), reason: '' }] }),
  },
  // Permitted requests get this far: the body is not a list of customers.
  'POST /admin/imports/check': { needs: 'manage_customers', ok: 422, headers: csv, body: () => ({ not: 'a list' }) },
  'POST /admin/imports': {
    needs: 'manage_customers',
    ok: 422,
    headers: csv,
    query: '?name=customers.csv',
    body: () => ({ not: 'a list' }),
  },
  'GET /admin/imports': { needs: 'manage_customers', ok: 200 },
  'GET /admin/imports/:id': { needs: 'manage_customers', ok: 200, thing: runningImport },
  'GET /admin/imports/:id/report': { needs: 'manage_customers', ok: 200, thing: runningImport },
  'POST /admin/imports/:id/stop': { needs: 'manage_customers', ok: 200, thing: runningImport },
  'POST /admin/imports/:id/resume': { needs: 'manage_customers', ok: 200, thing: stoppedImport },
  'DELETE /admin/customers/:id': { needs: 'manage_customers', ok: 200, thing: customer },
  'POST /admin/customers/:id/undelete': { needs: 'manage_customers', ok: 200, thing: removedCustomer },
  'GET /admin/customers/:id/notes': { needs: 'view_customers', ok: 200, thing: customer },
  'POST /admin/customers/:id/notes': {
    needs: 'manage_customers',
    ok: 201,
    thing: customer,
    body: () => ({ text: 'Pays late.' }),
  },
  'PATCH /admin/customer-notes/:id': {
    needs: 'manage_customers',
    ok: 204,
    thing: note,
    body: () => ({ text: 'Pays.', seenVersion: 1 }),
  },
  'DELETE /admin/customer-notes/:id': { needs: 'manage_customers', ok: 204, thing: note },
  'POST /admin/customer-notes/:id/restore': { needs: 'manage_customers', ok: 204, thing: deletedNote },
  'POST /admin/customer-people/:id/sign-in': {
    needs: 'manage_customers',
    ok: 204,
    thing: customerPerson,
    body: () => ({ reason: 'The menu is broken.' }),
  },
  'POST /admin/impersonation/end': { needs: 'anyone', ok: 200 },
  'GET /admin/agency-access': { needs: 'manage_users', ok: 200 },
  'PATCH /admin/agency-access': { needs: 'manage_users', ok: 204, body: () => ({ isAllowed: false }) },
  'GET /admin/brand': { needs: 'manage_brand', ok: 200 },
  'PUT /admin/brand': { needs: 'manage_brand', ok: 200, body: () => ({ name: unique('Brand') }) },
  'POST /admin/brand/preview': {
    needs: 'manage_brand',
    ok: 200,
    body: () => ({
      of: 'mail',
      scheme: 'dark',
      name: 'Brand',
      accent: '',
      supportEmail: '',
      supportUrl: '',
      legalNoticeUrl: '',
      privacyUrl: '',
      termsUrl: '',
      senderName: '',
      replyTo: '',
      logo: '',
      logoDark: '',
      icon: '',
    }),
  },
  // A permitted request gets this far: the body is not an image.
  'POST /admin/brand/images': {
    needs: 'manage_brand',
    ok: 422,
    query: '?kind=icon',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: () => ({ not: 'an image' }),
  },
  'DELETE /admin/brand': {
    needs: 'manage_brand',
    ok: 200,
    body: async (db, { id }) => {
      await db.transaction().execute((trx) => changeBrand(trx, id, { name: 'Brand' }, operator));
      return {};
    },
  },
  'GET /admin/mail-words': { needs: 'manage_brand', ok: 200 },
  // A permitted request gets this far: only top-level accounts can change these texts.
  'PUT /admin/mail-words': {
    needs: 'manage_brand',
    ok: 409,
    body: () => ({ kind: 'invitation', subject: 'Welcome', text: '{link}' }),
  },
  'POST /admin/mail-words/reset': {
    needs: 'manage_brand',
    ok: 200,
    body: async (db, { id }) => {
      const words = { kind: 'invitation', subject: 'Welcome', text: '{link}', version: 1, changed_at: 1 };
      const row = { account_id: id, ...words };
      await db.transaction().execute((trx) =>
        trx
          .insertInto('mail_words')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
      return { kind: 'invitation' };
    },
  },
  'POST /admin/mail-words/preview': {
    needs: 'manage_brand',
    ok: 200,
    body: () => ({ kind: 'invitation', as: 'text', scheme: 'light', subject: '', text: '' }),
  },
  'GET /admin/plans': { needs: 'view_customers', ok: 200 },
  'POST /admin/plans': {
    needs: 'manage_plans',
    ok: 201,
    body: () => ({ name: unique('Plan'), price: '49.00', interval: 'month' }),
  },
  'PATCH /admin/plans/:id': { needs: 'manage_plans', ok: 200, thing: plan, body: () => ({ name: unique('Plan') }) },
  'POST /admin/plans/:id/move': { needs: 'manage_plans', ok: 200, thing: plan, body: () => ({ position: 1 }) },
  'GET /admin/plans/:id/price-change': { needs: 'manage_plans', ok: 200, thing: plan, query: '?price=59' },
  'POST /admin/plans/:id/price-change': {
    needs: 'manage_plans',
    ok: 201,
    thing: plan,
    body: () => ({ name: unique('Plan'), price: '59', day: null }),
  },
  'PUT /admin/currency': { needs: 'manage_plans', ok: 200, body: () => ({ currency: 'EUR' }) },
  'GET /admin/price-changes': { needs: 'manage_plans', ok: 200 },
  'POST /admin/price-changes/:id/undo': { needs: 'manage_plans', ok: 200, thing: priceChange },
  'POST /admin/plans/:id/default': { needs: 'manage_plans', ok: 200, thing: plan },
  'POST /admin/plans/:id/retire': { needs: 'manage_plans', ok: 200, thing: plan },
  'POST /admin/plans/:id/restore': { needs: 'manage_plans', ok: 200, thing: retiredPlan },
  'GET /admin/templates': { needs: 'manage_customers', ok: 200 },
  'POST /admin/templates': {
    needs: 'manage_customers',
    ok: 201,
    body: async (db, { id }) => ({ siteId: await makeCustomer(db, id), name: unique('Template') }),
  },
  'PATCH /admin/templates/:id': {
    needs: 'manage_customers',
    ok: 200,
    thing: template,
    body: () => ({ name: unique('Template') }),
  },
  'POST /admin/templates/:id/move': {
    needs: 'manage_customers',
    ok: 200,
    thing: async (trx, account, userId) => {
      const first = await template(trx, account, userId);
      await template(trx, account, userId);
      return first;
    },
    body: () => ({ position: 99 }),
  },
  'POST /admin/templates/:id/retire': { needs: 'manage_customers', ok: 200, thing: template },
  'POST /admin/templates/:id/restore': { needs: 'manage_customers', ok: 200, thing: retiredTemplate },
  'GET /admin/templates/:id/preview': { needs: 'manage_customers', ok: 200, thing: template },
  'GET /admin/template-sites/:id/page': { needs: 'manage_customers', ok: 200, query: '?source=1', thing: madeSite },
  'GET /admin/templates/:id/pushes': { needs: 'manage_customers', ok: 200, thing: template },
  'POST /admin/templates/:id/pushes': {
    needs: 'manage_customers',
    ok: 201,
    thing: template,
    body: async (db, { id }) => {
      const sites = db.selectFrom('templates').innerJoin('accounts', 'accounts.id', 'templates.site_id');
      const last = sites.where('templates.account_id', '=', id).orderBy('templates.id', 'desc').limit(1);
      const { version } = (await last.select('content_version as version').executeTakeFirst()) ?? { version: 0 };
      return { version };
    },
  },
  'GET /admin/template-pushes/:id': { needs: 'manage_customers', ok: 200, thing: push },
  'GET /admin/template-pushes/:id/sites': { needs: 'manage_customers', ok: 200, thing: push },
  'POST /admin/template-pushes/:id/stop': { needs: 'manage_customers', ok: 200, thing: push },
  'POST /admin/template-pushes/:id/undo': { needs: 'manage_customers', ok: 200, thing: push },

  'GET /admin/pages': { needs: 'view_pages', ok: 200 },
  'GET /admin/pages/search': { needs: 'view_pages', ok: 200 },
  'GET /admin/pages/:id': { needs: 'view_pages', ok: 200, thing: page },
  'POST /admin/pages': { needs: 'administer_pages', ok: 201, body: () => ({ name: unique('Page') }) },
  'PATCH /admin/pages/:id': {
    needs: 'edit_pages',
    ok: 200,
    thing: page,
    headers: { 'If-Match': '*' },
    body: () => ({ body: 'Changed' }),
  },
  'POST /admin/pages/:id/move': {
    needs: 'administer_pages',
    ok: 200,
    thing: page,
    body: () => ({ parentId: 0, position: 1 }),
  },
  'POST /admin/pages/:id/duplicate': { needs: 'administer_pages', ok: 201, thing: page },
  'GET /admin/pages/:id/subtree': { needs: 'view_pages', ok: 200, thing: page },
  'DELETE /admin/pages/:id': { needs: 'administer_pages', ok: 200, thing: page },
  // Undoing a move or a deletion also requires `administer_pages`, which the same roles have.
  'POST /admin/undo/:id': { needs: 'edit_pages', ok: 200, thing: undo },
  'PUT /admin/pages/:id/draft': {
    needs: 'edit_pages',
    ok: 200,
    thing: page,
    body: () => ({ fields: { body: 'Half a' }, basedOn: 1, draftAt: null }),
  },
  'DELETE /admin/pages/:id/draft': { needs: 'edit_pages', ok: 204, thing: page },
  'POST /admin/pages/:id/publish': {
    needs: 'edit_pages',
    ok: 200,
    thing: page,
    headers: { 'If-Match': '"0"' },
    body: () => ({ fields: { body: 'A whole sentence.' } }),
  },
  'POST /admin/pages/:id/unpublish': { needs: 'edit_pages', ok: 200, thing: page },
  'GET /admin/pages/:id/revisions': { needs: 'view_pages', ok: 200, thing: page },
  'GET /admin/pages/:id/redirects': { needs: 'view_pages', ok: 200, thing: page },
  'POST /admin/pages/:id/redirects': {
    needs: 'edit_pages',
    ok: 201,
    thing: page,
    body: () => ({ path: `/${unique('old')}` }),
  },
  'DELETE /admin/redirects/:id': { needs: 'edit_pages', ok: 204, thing: redirect },
  'GET /admin/revisions/:id': { needs: 'view_pages', ok: 200, thing: revision },
  'POST /admin/revisions/:id/restore': { needs: 'edit_pages', ok: 200, thing: revision, headers: { 'If-Match': '*' } },
  'POST /admin/pages/:id/preview': {
    needs: 'view_pages',
    ok: 200,
    thing: page,
    body: () => ({ fields: { body: 'Half a' } }),
  },
  'POST /admin/site-preview': { needs: 'view_pages', ok: 200, body: () => ({ theme: 'business', accent: '#2456a6' }) },
  'POST /admin/page-imports': {
    needs: 'administer_pages',
    ok: 201,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: () => ({ pages: [{ name: `Imported ${randomBytes(8).toString('hex')}` }] }),
  },
  'GET /admin/media': { needs: 'view_pages', ok: 200 },
  // A permitted request gets this far: the body is not an image.
  'POST /admin/media': {
    needs: 'edit_pages',
    ok: 422,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: () => ({ not: 'an image' }),
  },
  // Without a name, no image is found. Another test covers images of other accounts.
  'GET /admin/media/file': { needs: 'view_pages', ok: 404 },
  'GET /admin/media/:id/uses': { needs: 'view_pages', ok: 200, thing: image },
  'PATCH /admin/media/:id': { needs: 'edit_pages', ok: 200, thing: image, body: () => ({ alt: 'A bridge' }) },
  'DELETE /admin/media/:id': { needs: 'edit_pages', ok: 200, thing: image },
  'POST /admin/media/:id/restore': { needs: 'edit_pages', ok: 200, thing: removedImage },
  'GET /admin/trash/pages': { needs: 'view_pages', ok: 200 },
  'GET /admin/trash/pages/search': { needs: 'view_pages', ok: 200, query: '?q=page' },
  'GET /admin/trash/pages/:id/children': { needs: 'view_pages', ok: 200, thing: deletedPage },
  'POST /admin/trash/pages/:id/restore': { needs: 'administer_pages', ok: 200, thing: deletedPage },
  'DELETE /admin/trash/pages/:id': { needs: 'administer_pages', ok: 200, thing: deletedPage, settled: purged },
  // Discards nothing, so that pages that other callers delete stay in the trash.
  'DELETE /admin/trash/pages': { needs: 'administer_pages', ok: 200, query: '?upTo=0' },
  'POST /admin/trash/pages/changes': {
    needs: 'administer_pages',
    ok: 200,
    body: async (db, account) => ({ kind: 'restore', ids: [await makeForBody(db, account, deletedPage)] }),
  },
  'GET /admin/trash/images/search': { needs: 'view_pages', ok: 200, query: '?q=image' },
  'POST /admin/trash/images/changes': {
    needs: 'edit_pages',
    ok: 200,
    body: async (db, account) => ({ kind: 'discard', ids: [await makeForBody(db, account, removedImage)] }),
  },
  'GET /admin/trash/images': { needs: 'view_pages', ok: 200 },
  'DELETE /admin/trash/images/:id': { needs: 'edit_pages', ok: 204, thing: removedImage },
  'DELETE /admin/trash/images': { needs: 'edit_pages', ok: 200, query: '?upTo=0' },
  'POST /admin/preview': {
    needs: 'view_pages',
    ok: 200,
    body: () => ({ body: 'Text', bodyFormat: 'markdown_format' }),
  },
};

/** The events that routes record. Other routes change nothing, or only private things, or cannot succeed in this test. */
const events: Record<string, string> = {
  'POST /admin/sign-out-everywhere': 'sessions.ended',
  'DELETE /admin/sessions/:id': 'session.ended',
  'POST /admin/password': 'password.changed',
  'PATCH /admin/you': 'user.changed',
  'POST /admin/email': 'email.asked',
  'PATCH /admin/passkeys/:id': 'passkey.renamed',
  'DELETE /admin/passkeys/:id': 'passkey.removed',
  'POST /admin/users': 'user.invited',
  'POST /admin/users/:id/invite': 'user.invited',
  'PATCH /admin/users/:id': 'user.changed',
  'DELETE /admin/users/:id': 'user.removed',
  'POST /admin/users/:id/restore': 'user.restored',
  'PATCH /admin/settings': 'settings.changed',
  'POST /admin/keys': 'key.issued',
  'POST /admin/keys/:id/rotate': 'key.rotated',
  'DELETE /admin/keys/:id': 'key.revoked',
  'POST /admin/keys/:id/restore': 'key.restored',
  'POST /admin/keys/:id/revoke-with-issued': 'key.revoked',
  'POST /admin/webhooks': 'webhook.added',
  'PATCH /admin/webhooks/:id': 'webhook.changed',
  'POST /admin/webhooks/:id/secret': 'webhook.secret_changed',
  'POST /admin/webhooks/:id/resume': 'webhook.resumed',
  'POST /admin/webhooks/:id/resend': 'webhook.resent',
  'DELETE /admin/webhooks/:id': 'webhook.removed',
  'POST /admin/webhooks/:id/restore': 'webhook.restored',
  'POST /admin/archive': 'account.archive_requested',
  'POST /admin/domains': 'domain.added',
  'DELETE /admin/domains/:id': 'domain.removed',
  'POST /admin/domains/:id/restore': 'domain.restored',
  'POST /admin/customers': 'customer.created',
  'POST /admin/customers/:id/instructions': 'customer.instructions_sent',
  'POST /admin/customers/:id/plan': 'customer.plan_changed',
  'PUT /admin/customers/:id/scheduled-change': 'customer.plan_change_scheduled',
  'POST /admin/customers/:id/suspend': 'customer.suspended',
  'POST /admin/customers/:id/restore': 'customer.restored',
  'POST /admin/customers/changes': 'customer.suspended',
  'POST /admin/imports/:id/stop': 'import.stopped',
  'POST /admin/imports/:id/resume': 'import.resumed',
  'DELETE /admin/customers/:id': 'customer.deletion_started',
  'POST /admin/customers/:id/undelete': 'customer.deletion_undone',
  'POST /admin/customers/:id/notes': 'customer.note_added',
  'PATCH /admin/customer-notes/:id': 'customer.note_changed',
  'DELETE /admin/customer-notes/:id': 'customer.note_deleted',
  'POST /admin/customer-notes/:id/restore': 'customer.note_restored',
  'POST /admin/customer-people/:id/sign-in': 'customer.impersonation_started',
  'PATCH /admin/agency-access': 'impersonation.forbidden',
  'PUT /admin/brand': 'brand.changed',
  'DELETE /admin/brand': 'brand.removed',
  'POST /admin/mail-words/reset': 'brand.words_reset',
  'POST /admin/plans': 'plan.created',
  'PATCH /admin/plans/:id': 'plan.renamed',
  'POST /admin/plans/:id/move': 'plan.moved',
  'POST /admin/plans/:id/price-change': 'plan.created,plan.moved,plan.retired,plan.price_changed',
  'POST /admin/price-changes/:id/undo': 'plan.price_change_undone',
  'PUT /admin/currency': 'currency.changed',
  'POST /admin/plans/:id/default': 'plan.made_default',
  'POST /admin/plans/:id/retire': 'plan.retired',
  'POST /admin/plans/:id/restore': 'plan.restored',
  'POST /admin/templates': 'template.offered',
  'PATCH /admin/templates/:id': 'template.changed',
  'POST /admin/templates/:id/move': 'template.moved',
  'POST /admin/templates/:id/retire': 'template.retired',
  'POST /admin/templates/:id/restore': 'template.restored',
  'POST /admin/templates/:id/pushes': 'template.pushed',
  'POST /admin/template-pushes/:id/stop': 'template.push_stopped',
  'POST /admin/template-pushes/:id/undo': 'template.push_undone',
  'POST /admin/pages': 'page.created',
  'POST /admin/page-imports': 'page.created',
  'PATCH /admin/pages/:id': 'page.changed',
  'POST /admin/pages/:id/move': 'page.moved',
  'POST /admin/pages/:id/duplicate': 'page.duplicated',
  'DELETE /admin/pages/:id': 'page.deleted',
  'POST /admin/undo/:id': 'page.undone',
  'POST /admin/pages/:id/publish': 'page.published',
  'POST /admin/pages/:id/unpublish': 'page.unpublished',
  'POST /admin/pages/:id/redirects': 'redirect.added',
  'DELETE /admin/redirects/:id': 'redirect.removed',
  'POST /admin/revisions/:id/restore': 'page.restored',
  'PATCH /admin/media/:id': 'media.described',
  'DELETE /admin/media/:id': 'media.deleted',
  'POST /admin/media/:id/restore': 'media.restored',
  'POST /admin/trash/pages/:id/restore': 'page.undone',
  'DELETE /admin/trash/pages/:id': 'page.discarded',
  'DELETE /admin/trash/images/:id': 'media.discarded',
  'POST /admin/trash/pages/changes': 'page.undone',
  'POST /admin/trash/images/changes': 'media.discarded',
};

/** An answer of a passkey without a challenge. */
const noPasskey = { id: 'none', response: { clientDataJSON: 'e30' } };

async function session(trx: Trx, { id }: Account, userId: number): Promise<number> {
  await tokenFor(trx, id, userId);
  const last = await trx.selectFrom('sessions').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  return last.id;
}

function passkey(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const key = { credentialId: unique('credential'), publicKey: 'none', counter: 0, transports: '' };
  const passkey = { name: `Phone of ${word}`, ...key, mayBeBackedUp: false, isBackedUp: false };
  return addPasskey(trx, id, passkey, actor(userId), settings);
}

function user(trx: Trx, { id, word }: Account): Promise<number> {
  const email = `${unique('user')}@example.com`;
  return createUser(trx, id, { name: `User of ${word}`, email, role: 'editor', passwordHash: null });
}

async function customer(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const values = { accountName: `Customer of ${word}`, subdomain: unique('customer'), userName: `User of ${word}` };
  const customer = await prepareInvitedCustomer(trx, id, { ...values, userEmail: 'carl@example.com' });
  return createCustomer(trx, id, customer, settings, actor(userId));
}

async function suspendedCustomer(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await customer(trx, account, userId);
  await suspendCustomer(trx, account.id, id, actor(userId));
  return id;
}

async function removedCustomer(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await customer(trx, account, userId);
  await deleteCustomer(trx, account.id, id, actor(userId));
  return id;
}

async function customerWithPage(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await customer(trx, account, userId);
  await trx.updateTable('pages').set({ status: 'published' }).where('account_id', '=', id).execute();
  return id;
}

async function customerMessage(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await customer(trx, account, userId);
  return (await trx.selectFrom('outbox').select('id').where('account_id', '=', id).executeTakeFirstOrThrow()).id;
}

async function customerPerson(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await customer(trx, account, userId);
  return (await trx.selectFrom('users').select('id').where('account_id', '=', id).executeTakeFirstOrThrow()).id;
}

/** Deletes the account's archive and its count: an account has one archive, and can request only a few a day. */
async function withoutArchive(db: Db, { id }: Account): Promise<object> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('account_archives').where('account_id', '=', id).execute();
    await trx.deleteFrom('sign_in_attempts').where('key', '=', `archive ${id}`).execute();
  });
  return {};
}

/** Starts an import. Stops any other import first: an account can have one running import. */
async function runningImport(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const others = trx.updateTable('customer_imports').set({ state: 'stopped', ended_at: 1 });
  await others.where('account_id', '=', id).execute();
  const cells = [`Shop of ${word}`, unique('shop'), `User of ${word}`, 'carl@example.com'];
  const columns = { account_name: 0, account_subdomain: 1, user_name: 2, user_email: 3 };
  const input = { fileName: `Customers of ${word}.csv`, fileHash: 'hash', lines: [{ number: 2, cells }], columns };
  return startImport(trx, id, input, actor(userId));
}

async function stoppedImport(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await runningImport(trx, account, userId);
  await stopImport(trx, account.id, id, actor(userId));
  return id;
}

async function note(trx: Trx, account: Account, userId: number): Promise<number> {
  const input = { customerId: await customer(trx, account, userId), text: `A note of ${account.word}` };
  return addNote(trx, account.id, input, actor(userId));
}

async function template(trx: Trx, account: Account, userId: number): Promise<number> {
  const siteId = await customer(trx, account, userId);
  return offerTemplate(trx, account.id, { siteId, name: unique(`Template of ${account.word}`) }, actor(userId));
}

async function madeSite(trx: Trx, account: Account, userId: number): Promise<number> {
  const templateId = await template(trx, account, userId);
  const siteId = await customer(trx, account, userId);
  await trx.insertInto('template_sites').values({ account_id: siteId, template_id: templateId, made_at: 1 }).execute();
  return siteId;
}

async function push(trx: Trx, account: Account, userId: number): Promise<number> {
  const templateId = await template(trx, account, userId);
  const { site_id: siteId } = await getTemplate(trx, account.id, templateId);
  await trx.insertInto('template_sites').values({ account_id: siteId, template_id: templateId, made_at: 1 }).execute();
  const seenVersion = await templateVersion(trx, siteId);
  return startPush(trx, account.id, { templateId, seenVersion }, actor(userId));
}

async function retiredTemplate(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await template(trx, account, userId);
  await retireTemplate(trx, account.id, id, actor(userId));
  return id;
}

async function deletedNote(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await note(trx, account, userId);
  await deleteNote(trx, account.id, id, actor(userId));
  return id;
}

function newPlan(db: Db, accountId: number): Promise<number> {
  const input = { name: unique('Plan'), price: '49', interval: 'month', isDefault: false };
  return db.transaction().execute((trx) => createPlan(trx, accountId, input, operator));
}

function plan(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const input = { name: `${unique('Plan')} of ${word}`, price: '49', interval: 'month', isDefault: false };
  return createPlan(trx, id, input, actor(userId));
}

async function priceChange(trx: Trx, account: Account, userId: number): Promise<number> {
  const input = { planId: await plan(trx, account, userId), name: unique('Plan'), price: '59' };
  return (await changePrice(trx, account.id, input, actor(userId))).id;
}

async function retiredPlan(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await plan(trx, account, userId);
  await retirePlan(trx, account.id, id, actor(userId));
  return id;
}

async function key(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  return (await issueApiKey(trx, id, { userId, name: `Key of ${word}`, expiresAt: null })).id;
}

async function webhook(trx: Trx, { id, word }: Account): Promise<number> {
  const input = { url: `https://${unique('hook')}.${word}.example/`, kinds: null };
  return (await addWebhook(trx, id, input, operator, { webhooksToPrivateNetworks: false })).id;
}

/** Creates a webhook with an address in a private network: no request is sent, and no name is looked up. */
async function privateWebhook(trx: Trx, { id }: Account): Promise<number> {
  const input = { url: 'https://127.0.0.1:1/', kinds: null };
  return (await addWebhook(trx, id, input, operator, { webhooksToPrivateNetworks: true })).id;
}

async function pausedWebhook(trx: Trx, account: Account): Promise<number> {
  const id = await webhook(trx, account);
  await trx.updateTable('webhooks').set({ paused_at: 1 }).where('id', '=', id).execute();
  return id;
}

async function removedWebhook(trx: Trx, account: Account): Promise<number> {
  const id = await webhook(trx, account);
  await removeWebhook(trx, account.id, id, operator);
  return id;
}

async function domain(trx: Trx, { id, word }: Account): Promise<number> {
  return (await addDomain(trx, id, `${unique('www')}.${word}.example`, operator)).id;
}

async function removedPasskey(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await passkey(trx, account, userId);
  await removePasskey(trx, account.id, { sessionId: 0, id }, actor(userId), settings);
  return id;
}

async function removedUser(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await user(trx, account);
  await removeUser(trx, account.id, { userId: id, by: { userId, role: 'owner' } });
  return id;
}

async function revokedKey(trx: Trx, account: Account, userId: number): Promise<number> {
  const keyId = await key(trx, account, userId);
  await revokeApiKey(trx, account.id, { keyId, userId });
  return keyId;
}

async function removedDomain(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const { host } = await addDomain(trx, id, `${unique('www')}.${word}.example`, operator);
  return (await removeDomain(trx, id, host, { ...operator, userId })).id;
}

function page(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const name = `${unique('Page')} of ${word}`;
  const rest = { parentId: undefined, isHidden: undefined, description: undefined, bodyFormat: undefined };
  return createPage(trx, id, { name, body: `The body of ${word}`, userId, quota, ip: '192.0.2.1', ...rest });
}

async function undo(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await page(trx, account, userId);
  return (await deletePage(trx, account.id, id, actor(userId))).undo;
}

async function deletedPage(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await page(trx, account, userId);
  await deletePage(trx, account.id, id, actor(userId));
  return id;
}

/** Creates a thing whose id is sent in a body, as another user of the account. */
async function makeForBody(db: Db, account: Account, thing: NonNullable<Row['thing']>): Promise<number> {
  const { id: userId } = await makeUser(db, account.id);
  return db.transaction().execute((trx) => thing(trx, account, userId));
}

/** Waits until pages that were deleted for good are purged. */
async function purged(db: Db): Promise<void> {
  const left = () => db.selectFrom('undos').select('id').where('created_at', '=', 0).execute();
  while ((await left()).length > 0) await setImmediate();
}

async function revision(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await page(trx, account, userId);
  await updatePage(trx, account.id, { id, basedOn: undefined, fields: { body: 'Later' }, quota }, actor(userId));
  const last = trx.selectFrom('revisions').select('id').orderBy('id', 'desc').limit(1);
  return (await last.executeTakeFirstOrThrow()).id;
}

async function redirect(trx: Trx, account: Account, userId: number): Promise<number> {
  const pageId = await page(trx, account, userId);
  return (await addRedirect(trx, account.id, { path: `/${unique('old')}`, pageId }, actor(userId))).id;
}

async function image(trx: Trx, { id, word }: Account, userId: number): Promise<number> {
  const hash = randomBytes(16).toString('hex');
  const name = `${hash}-2x1.webp`;
  const input = { hash, kind: 'png', width: 2, height: 1, isMoving: false, name: `Image of ${word}` } as const;
  const folder = `${id}/${hash}-0`;
  const added = await addMedia(trx, id, { ...input, quota: 1e9, folder, files: { [name]: 1 } }, actor(userId));
  return added.media.id;
}

async function removedImage(trx: Trx, account: Account, userId: number): Promise<number> {
  const id = await image(trx, account, userId);
  await removeMedia(trx, account.id, id, actor(userId));
  return id;
}

async function link(db: Db, { id }: Account, purpose: LinkPurpose = 'reset_password', email: string | null = null) {
  const { id: userId } = await makeUser(db, id);
  return db.transaction().execute((trx) => makeLink(trx, id, userId, purpose, email));
}

// Tests of decisions that need no database.
onSqlite('the routes of the admin app', (open, kind) => {
  test('every route has a row with its permission, and every row has a route', async (t) => {
    const { db } = await open(t);
    const config = readConfig({});
    const log = pino({ level: 'silent' });
    const cookie = new SessionCookie(config.publicUrl);
    const background = new Background(log);
    const store = openMediaStore(config);
    const counter = new MemoryCounter();
    const shared = {
      cookie,
      background,
      counter,
      store,
      imageMaker: () => Promise.reject(new Error('No image is uploaded here.')),
      challengeLimit: new RateLimit('test', 1, counter, 1),
    };
    const routes = adminRoutes({
      db,
      config,
      log,
      onMailQueued: () => {},
      onImportStarted: () => {},
      previewSite: async () => undefined,
      ...shared,
    });
    assert.deepEqual(
      Object.fromEntries(routes.map(({ method, path, needs }) => [`${method} ${path}`, needs])),
      Object.fromEntries(Object.entries(rows).map(([route, { needs }]) => [route, needs])),
    );
  });

  test('every route refuses bodies above its limit: 64 KB, 5 MB for lists of customers, 20 MB for pages', async (t) => {
    const { service, db, own } = await makeWorld(t, kind);
    const [few, file, page] = [64 * 1024, 5 * 1024 * 1024, 20 * 1024 * 1024];
    for (const [route, { headers, query = '' }] of Object.entries(rows)) {
      const [method, path] = route.split(' ') as [string, string];
      const send = async (size: number) => {
        const { person } = await signInAs(service, db, own, 'owner');
        const body = { text: 'x'.repeat(size - '{"text":""}'.length) };
        const reply = await person.send(method, path.replace('/admin/', '').replace(':id', '1') + query, body, {
          ...headers,
          ...(/\/(?:media|images|page-imports)$/.test(route) && { 'Content-Type': 'application/octet-stream' }),
        });
        return reply.status;
      };
      const most = pageRoutes.has(route) ? page : fileRoutes.has(route) ? file : few;
      assert.equal(await send(most + 1), 413, route);
      if (most !== page) assert.notEqual(await send(most), 413, route);
    }
  });
});

for (const kind of databases) {
  describe(`permissions of the admin routes (${kind})`, () => {
    test('every route admits only the roles with its permission, and only to their own account', async (t) => {
      // All routes share one service: every request has its own caller and its own thing.
      const world = await makeWorld(t, kind);
      for (const [route, row] of Object.entries(rows)) {
        await t.test(route, async () => {
          await checkRoles(world, route, row);
          if (row.needs !== 'anyone') await checkOtherAccounts(world, route, row);
        });
      }
    });

    test('during an impersonation, only routes for the website and its settings are permitted', async (t) => {
      const { service, db, own, others } = await makeWorld(t, kind);
      const parent = others[0]!;
      const needs = ['view_pages', 'edit_pages', 'administer_pages', 'update_settings', 'update_theme'];
      // Refused requests share one caller, because they change nothing.
      const refused = await impersonate(service, db, parent, own);
      for (const [route, row] of Object.entries(rows)) {
        if (row.needs === 'anyone') continue;
        const may =
          route === 'GET /admin/session' ||
          (needs.includes(row.needs) && !/\/(keys|webhooks|authorization|archive)/.test(route));
        const caller = may ? await impersonate(service, db, parent, own) : refused;
        const { status, text } = await request(db, own, own, route, row, caller);
        assert.equal(status, may ? row.ok : 403, `${route}: ${text}`);
        if (!may) assert.equal(JSON.parse(text).error.why.reason, 'not_while_impersonating', route);
      }
    });

    test('every change is in the log with the user who made it', async (t) => {
      const { service, db, own } = await makeWorld(t, kind);
      const recorded: Record<string, string> = {};
      for (const [route, row] of Object.entries(rows)) {
        if (row.needs === 'anyone' || route.startsWith('GET ')) continue;
        const caller = await signInAs(service, db, own, 'owner');
        const made = row.thing && (await make(db, row, own, caller.userId));
        const { length } = await eventsBy(db, caller.userId);
        const { status, text } = await request(db, own, own, route, row, caller, made);
        assert.equal(status, row.ok, `${route}: ${text}`);
        const actions = (await eventsBy(db, caller.userId)).slice(length).map(({ action }) => action);
        if (actions.length > 0) recorded[route] = actions.join();
      }
      assert.deepEqual(recorded, events);
    });

    test('a request whose session ends before any of its writes does not make that write', async (t) => {
      const writes = { begun: () => Promise.resolve() };
      const world = await makeWorld(t, kind, (db) => watchWrites(db, () => writes.begun()));
      for (const [route, row] of Object.entries(rows)) {
        if (row.needs === 'anyone' || route.startsWith('GET ')) continue;
        await t.test(route, () => checkEndedSession(world, route, row, writes));
      }
    });
  });
}

/** Sends the request several times. Ends the session just before its first write, then its second, until there are no more. */
async function checkEndedSession(
  { service, db, own }: World,
  route: string,
  row: Row,
  writes: { begun: () => Promise<void> },
): Promise<void> {
  for (let fatal = 1; ; fatal++) {
    const caller = await signInAs(service, db, own, 'owner');
    let begun = 0;
    let before: unknown;
    writes.begun = async () => {
      begun += 1;
      if (begun !== fatal) return;
      await db.transaction().execute((trx) => endSessions(trx, own.id, caller.userId));
      before = await rowsOf(db, [own]);
    };
    const { status, text } = await request(db, own, own, route, row, caller);
    if (begun < fatal || (status === row.ok && row.settled)) {
      await row.settled?.(db);
      return assert.equal(status, row.ok, text);
    }
    assert.equal(status, 401, `ended before write ${fatal}: ${text}`);
    assert.deepEqual(await rowsOf(db, [own]), before);
  }
}

function eventsBy(db: Db, userId: number) {
  return db.selectFrom('audit_log').select('action').where('user_id', '=', userId).orderBy('id').execute();
}

/** Wraps the database. Calls `begun` before each transaction that can write. */
function watchWrites(db: Db, begun: () => Promise<void>): Db {
  const transaction: Db['transaction'] = () => {
    const builder = db.transaction();
    return new Proxy(builder, {
      get(target, name) {
        if (name !== 'execute') return Reflect.get(target, name).bind(target);
        const execute: typeof builder.execute = async (work) => {
          await begun();
          return builder.execute(work);
        };
        return execute;
      },
    });
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Returns the roles to test. On PostgreSQL, these are only the lowest permitted role and the highest refused one: the checks of
 * roles do not depend on the database, and all roles are tested on SQLite.
 */
function rolesToTest(db: Db, { needs }: Row): readonly Role[] {
  if (dialectOf(db) === 'sqlite') return EVERYBODY;
  const lowest = EVERYBODY.find((role) => mayCall(role, needs));
  const refused = EVERYBODY.findLast((role) => !mayCall(role, needs));
  return EVERYBODY.filter((role) => role === lowest || role === refused);
}

function mayCall(role: Role, needs: Row['needs']): boolean {
  const who = allowed[needs];
  return who === 'anyone' || who.includes(role);
}

/** Checks the answers to each role, and without a session, for things of the own account. */
async function checkRoles({ service, db, own }: World, route: string, row: Row): Promise<void> {
  for (const role of [...rolesToTest(db, row), undefined]) {
    const caller = role ? await signInAs(service, db, own, role) : { person: new Person(service), userId: own.userId };
    const { status, text } = await request(db, own, own, route, row, caller);
    const may = role === undefined ? row.needs === 'anyone' : mayCall(role, row.needs);
    const expected = may ? row.ok : role === undefined ? 401 : 403;
    assert.equal(status, expected, `${role ?? 'no session'}: ${text}`);
  }
}

/** Checks the answers to each role for things of other accounts: they are not found, not shown and not changed. */
async function checkOtherAccounts({ service, db, own, others, theirs }: World, route: string, row: Row): Promise<void> {
  const callers = [];
  for (const other of others) {
    const made = theirs.things.get(other)!.get(row);
    for (const role of rolesToTest(db, row))
      callers.push({ other, made, role, caller: await signInAs(service, db, own, role) });
  }
  // So many attempts from one network would be limited.
  await db.transaction().execute((trx) => trx.deleteFrom('sign_in_attempts').execute());
  for (const { other, made, role, caller } of callers) {
    const { status, text } = await request(db, own, other, route, row, caller, made);
    const expected = !mayCall(role, row.needs) ? 403 : row.thing ? 404 : row.ok;
    assert.equal(status, expected, `${role}, ${other.word}: ${text}`);
    for (const { word } of others) {
      if (word !== row.shows) assert.ok(!text.includes(word), `${word} is in ${text}`);
    }
  }
  const before = theirs.rows;
  theirs.rows = await rowsOf(db, others);
  assert.deepEqual(theirs.rows, before);
}

async function request(
  db: Db,
  own: Account,
  of: Account,
  route: string,
  row: Row,
  { person, userId }: { person: Person; userId: number },
  made?: number,
) {
  const [method, path] = route.split(' ') as [string, string];
  const id = made ?? (row.thing && (await make(db, row, of, userId)));
  const body = await row.body?.(db, own);
  return person.send(
    method,
    path.replace('/admin/', '').replace(':id', String(id)) + (row.query ?? ''),
    body,
    row.headers,
  );
}

function make(db: Db, row: Row, account: Account, userId: number): Promise<number> {
  return db.transaction().execute((trx) => row.thing!(trx, account, userId));
}

/** Signs in as an owner of the account, as an impersonating admin of its parent. */
async function impersonate(service: Service, db: Db, parent: Account, own: Account) {
  const { person } = await signInAs(service, db, parent, 'admin');
  const { id } = await makeUser(db, own.id, { role: 'owner' });
  assert.equal((await person.post(`customer-people/${id}/sign-in`, { reason: 'Help' })).status, 204);
  const { account, user } = (await person.get('session')).json;
  const tab = new Person(service, undefined, { 'Session-Owner': `${account.id}/${user.id}` });
  tab.cookie = person.cookie;
  return { person: tab, userId: user.id as number };
}

async function signInAs(service: Service, db: Db, { id }: Account, role: Role) {
  const { id: userId } = await makeUser(db, id, { role });
  return { person: new Person(service, await tokenFor(db, id, userId)), userId };
}

interface Account {
  id: number;
  /** A user of the account. */
  userId: number;
  /** Part of every name in the account, by which its things are recognized in responses. */
  word: string;
}

interface World {
  service: Service;
  db: Db;
  own: Account;
  others: Account[];
  /** Things of the other accounts for each row, and all rows of these accounts. Made once, since no request may change them. */
  theirs: { things: Map<Account, Map<Row, number>>; rows: Record<string, unknown[]> };
}

async function makeWorld(
  t: TestContext,
  kind: (typeof databases)[number],
  wrapped: (db: Db) => Db = (db) => db,
): Promise<World> {
  const database = await openTestDatabase(t, kind);
  const { db } = database;
  const dns = await startDnsServer(t);
  const service = await startService(t, { ...database, db: wrapped(db) }, { DNS_SERVERS: dns.address });
  const account = async (id: number, word: string): Promise<Account> => {
    const { id: userId } = await makeUser(db, id, { name: `Somebody of ${word}`, email: `${word}@example.com` });
    return { id, userId, word };
  };
  const parent = await account((await makeAccount(db, 'parental')).accountId, 'parental');
  const own = await account(await makeCustomer(db, parent.id, 'own'), 'own');
  const child = await account(await makeCustomer(db, own.id, 'childish'), 'childish');
  const stranger = await account((await makeAccount(db, 'stranger')).accountId, 'stranger');
  const others = [parent, child, stranger];
  const things = new Map<Account, Map<Row, number>>();
  for (const other of others) {
    const made = new Map<Row, number>();
    for (const row of Object.values(rows)) if (row.thing) made.set(row, await make(db, row, other, other.userId));
    things.set(other, made);
  }
  return { service, db, own, others, theirs: { things, rows: await rowsOf(db, others) } };
}

/** Returns all rows of the accounts. On PostgreSQL, one query reads all tables: round trips take longer than reading. */
async function rowsOf(db: Db, accounts: readonly Account[]): Promise<Record<string, unknown[]>> {
  const ids = sql.join(accounts.map(({ id }) => id));
  const names = tableNames.filter((name) => name !== 'sign_in_attempts');
  const owned = (name: TableName) =>
    sql`from ${sql.table(name)} as one where ${sql.ref(name === 'accounts' ? 'id' : 'account_id')} in (${ids})`;
  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  if (dialectOf(db) === 'postgres') {
    const parts = names.map(
      (name) => sql`select ${sql.lit(name)} as name, to_json(one)::text as content ${owned(name)}`,
    );
    const all = sql<{ name: TableName; content: string }>`${sql.join(parts, sql` union all `)}`;
    for (const { name, content } of (await all.execute(db)).rows) found[name]!.push(content);
  } else {
    for (const name of names) {
      const { rows: all } = await sql`select * ${owned(name)}`.execute(db);
      for (const one of all) found[name]!.push(JSON.stringify(one));
    }
  }
  for (const contents of Object.values(found)) contents.sort();
  return found;
}
