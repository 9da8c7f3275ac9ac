import type { OperationResponse } from './operation.ts';

/** Describes the answer to a request that cannot be understood. */
export const malformed = {
  status: 400,
  schema: 'Failure',
  description: 'The request is malformed. `errors` says how to send the fields.',
  example: {
    response: false,
    errors:
      'The request is malformed. Send key[name] and other fields as a form or in the query, or {"key": {"name": …}} as application/json, each field once.',
  },
} as const satisfies OperationResponse;

/** Describes the answer to a request with a wrong parameter, of which `errors` is an example. */
export function wrongParameter(errors: string): OperationResponse {
  return {
    status: 400,
    schema: 'Failure',
    description: 'A parameter has a value that it cannot have, or is given twice.',
    example: { response: false, errors },
  };
}

/** Describes the answer about something that the account does not have. */
export function missing(description: string, sentence: string): OperationResponse {
  return { status: 404, schema: 'Failure', description, example: { response: false, errors: sentence } };
}

/** Describes the answer to a request that breaks rules: a sentence, or pairs of field and message. */
export function refused(
  description: string,
  errors: string | readonly (readonly [string, string])[],
): OperationResponse {
  return { status: 422, schema: 'Refused', description, example: { response: false, errors } };
}
