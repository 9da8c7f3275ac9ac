import * as v from 'valibot';
import type { assistantScopes } from '../../../oauth/authorise-client.ts';
import { text } from '../schema.ts';

/* A program asks a person for a key (OAuth): the screen /authorize. */

/** GET /admin/authorization → AuthorizationJson. The query is that of the screen, with the names that OAuth has for its parts. */
export const authorizationQuery = v.object({
  client_id: text,
  redirect_uri: text,
  response_type: text,
  code_challenge: text,
  code_challenge_method: text,
  state: v.optional(text),
  scope: v.optional(text),
  resource: v.optional(text),
});

/** POST /admin/authorizations → 201 AuthorizedJson */
export const authorizeInput = v.object({ ...authorizationQuery.entries, scopes: v.array(text) });
export type AuthorizeInput = v.InferInput<typeof authorizeInput>;

export type AssistantScope = (typeof assistantScopes)[number];

export interface AuthorizationJson {
  /** The name that the program gives itself. */
  name: string;
  /** Where the program is told the answer: a host, or the scheme of an app. */
  host: string;
  /** The scopes that it asks for. */
  scopes: AssistantScope[];
  /** Where the browser goes if the person refuses. */
  deniedUrl: string;
}

export interface AuthorizedJson {
  /** Where the browser goes next. */
  url: string;
}
