import * as v from 'valibot';
import type { assistantScopes } from '../../../oauth/authorize-client.ts';
import { text } from '../schema.ts';

/* OAuth: the screen /authorize, where a program asks a person for an API key. */

/** GET /admin/authorization → AuthorizationJson. The query is the screen's own query, with OAuth's parameter names. */
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
  /** The program's name, as given by the program itself. */
  name: string;
  /** The recipient of the answer: the host of a website, or the URL scheme of an installed app. */
  host: string;
  /** The requested scopes. */
  scopes: AssistantScope[];
  /** The URL that the browser goes to if the person refuses. */
  deniedUrl: string;
}

export interface AuthorizedJson {
  /** The URL that the browser goes to next. */
  url: string;
}
