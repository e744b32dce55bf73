import type { IncomingMessage } from 'node:http';
import { contentFormHeader, contentFormParameter, sealedForm } from '@nolo/rules';

const parameter = `${contentFormParameter}=${sealedForm}`;

/**
 * Returns true if the client opens envelopes itself (ADR 39). It says so in a header, or in the query of `/ws` and of
 * requests that a document announces, which carry no headers of their own.
 */
export function opensEnvelopes({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  if (headers[contentFormHeader] === sealedForm) return true;
  const query = url.indexOf('?');
  return (
    query >= 0 &&
    url
      .slice(query + 1)
      .split('&')
      .includes(parameter)
  );
}
