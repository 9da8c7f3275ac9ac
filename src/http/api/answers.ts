import type { OperationResponse } from './operation.ts';

/** Describes the answer to a request that cannot be understood. */
export function badRequest(description: string, errors: string): OperationResponse {
  return { status: 400, schema: 'Failure', description, example: { response: false, errors } };
}

/** Describes the answer to a malformed request, in the words that most operations share. */
export const malformed = badRequest(
  'The request is malformed. `errors` says how to send the fields.',
  'The request is malformed. Send key[name] and other fields as a form or in the query, or {"key": {"name": …}} as application/json, each field once.',
);

/** Describes the answer to a request with an invalid parameter. `errors` is an example. */
export function wrongParameter(errors: string): OperationResponse {
  return badRequest('A parameter has an invalid value, or is given twice.', errors);
}

/** Describes the answer about something that does not exist in the account. */
export function missing(description: string, sentence: string): OperationResponse {
  return { status: 404, schema: 'Failure', description, example: { response: false, errors: sentence } };
}

/** Describes the answer to a request that breaks rules. `errors` is a sentence, or pairs of field and message. */
export function refused(
  description: string,
  errors: string | readonly (readonly [string, string])[],
): OperationResponse {
  return { status: 422, schema: 'Refused', description, example: { response: false, errors } };
}
