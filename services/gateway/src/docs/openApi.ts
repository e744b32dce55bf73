import { errorCodesOf, newMessage, nextCursorHeader, routes, type Route, type RouteName } from '@nolo/api';
import { accessTokenPrefix } from '@nolo/rules';
import * as z from 'zod/mini';
import { httpStatusOfError } from '../http/errorReply.ts';
import { errorKindOfCode } from './errorKinds.ts';
import { namedSchemas, schemaNames } from './namedSchemas.ts';
import { describeWebhooks } from './webhooks.ts';

type Json = Record<string, unknown>;
type Schema = z.ZodMiniType;

/** Lists whose next page has a cursor in a header (decision 17). */
const paged: ReadonlySet<RouteName> = new Set([
  'listContacts',
  'listBlocked',
  'listSecurityNotices',
  'listAccessTokens',
  'listConversations',
  'listMessages',
  'listGroupMessages',
  'listStarred',
  'listGroupChats',
  'listGroupMembers',
  'listGroupBans',
  'listJoinRequests',
  'listGroupInvited',
  'listHeldMessages',
  'listMeetings',
  'listRemoved',
  'listCalls',
  'listSocialPosts',
  'listOrders',
  'findOrders',
  'findSubscriptions',
  'findNotifications',
  'findAudit',
  'listWebhookDeliveries',
]);

/** Replies other than JSON. */
const otherReplies: Partial<Record<RouteName, { type: string; description: string }>> = {
  readObject: {
    type: '*/*',
    description:
      'The bytes: pictures, audio, and videos of known kinds with their type, everything else as an attachment of application/octet-stream. 206 if a range is requested',
  },
  readSignedObject: { type: '*/*', description: 'The bytes, as for the file itself. 206 if a range is requested' },
  writeFile: { type: 'text/plain', description: 'No body; `ETag` identifies the bytes and `Location` the file' },
  writePart: { type: 'text/plain', description: 'No body; `ETag` identifies the bytes' },
  readExport: {
    type: 'application/zip',
    description:
      'An archive of the account: its messages, groups, and conversation settings, what it starred, posted, bought, and had transcribed, all files of these, and a start page. 206 if a range is requested',
  },
  getReceipt: { type: 'application/pdf', description: 'The receipt as an attachment, named after its number' },
  getOpenApi: { type: 'application/json', description: 'An OpenAPI 3.1 document' },
};

const tags: Record<Route['tag'], string> = {
  session: 'Signing in and out, and signed-in devices',
  keys: 'Devices with keys: signed lists, box keys, and linking (docs/encryption.md)',
  tokens: 'Personal access tokens, with which programs use the API',
  users: 'Accounts and people',
  contacts: 'Contacts, invitations and blocks',
  conversations: 'Conversations, messages, receipts, and changes',
  files: 'Uploads and objects',
  meetings: 'Meetings; their rooms are entered over the socket (docs/realtime.md)',
  groups: 'Group chats: members, permissions, and ways to join',
  calls: 'Calls; their signalling uses the socket (docs/realtime.md)',
  status: 'Status updates, which last 24 hours',
  social: 'Accounts on social platforms, and their posts',
  billing: 'Plans, orders, payments, teams, and billing administration',
  admin: 'Administration of the installation and its accounts, for operators',
  webhooks: 'Addresses that are notified of events (docs/webhooks.md)',
  notifications: 'Web push notifications: which ones browsers receive, and when (docs/notifications.md)',
  system: 'The installation itself',
};

/** Error replies by status: their name in the document and their meaning. */
const errorReplies: Readonly<Record<string, { name: string; description: string }>> = {
  '400': { name: 'invalid', description: 'The input is invalid; `details.fields` names each field' },
  '401': { name: 'signedOut', description: 'No session, or one that has ended' },
  '402': {
    name: 'planLimited',
    description: 'The plan does not include this; `details` has the limit and the plan that lifts it',
  },
  '403': { name: 'refused', description: 'Not allowed, not from a page of this site, or not with this token' },
  '404': { name: 'missing', description: 'It does not exist, or its existence is private' },
  '405': {
    name: 'otherMethod',
    description: 'The URL supports only the methods in `Allow`. `OPTIONS` returns 204 with the same header',
  },
  '409': { name: 'conflict', description: 'It conflicts with the current state' },
  '411': { name: 'lengthRequired', description: 'The length of the body is missing' },
  '413': { name: 'tooLarge', description: 'The body or the file is too large' },
  '414': { name: 'longAddress', description: 'The URL is too long' },
  '415': { name: 'contentType', description: 'The body has an unsupported type' },
  '416': { name: 'noSuchRange', description: 'The requested range is outside the file' },
  '422': { name: 'refusedLink', description: 'The link is not allowed, or its target is not available' },
  '429': { name: 'limited', description: 'Too many requests; `Retry-After` has the seconds to wait' },
  '431': { name: 'longHeader', description: 'A header is too long; `details.header` names it' },
  '501': { name: 'notConfigured', description: 'The operator has not configured this' },
  '503': { name: 'unavailable', description: 'A part of the system is unavailable' },
};

/** Collects the schemas that the converter names, and rewrites references to OpenAPI's location. */
function createConverter() {
  const components: Record<string, unknown> = {};
  const relocate = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(relocate);
    if (typeof value !== 'object' || value === null) return value;
    const { $defs, ...rest } = value as Json;
    if (typeof $defs === 'object' && $defs !== null) {
      for (const [name, shape] of Object.entries($defs)) components[name] ??= relocate(shape);
    }
    const entries = Object.entries(rest).flatMap(([key, inner]): [string, unknown][] => {
      if (typeof inner !== 'string') return [[key, relocate(inner)]];
      // A property named id is an object, not a string, and stays.
      if (key === 'id' || key === '$schema') return [];
      return [[key, key === '$ref' ? inner.replace('#/$defs/', '#/components/schemas/') : inner]];
    });
    return Object.fromEntries(entries);
  };
  const convert = (schema: Schema, io: 'input' | 'output'): Json => {
    const name = schemaNames.get(schema)?.id;
    const shape = relocate(z.toJSONSchema(schema, { metadata: schemaNames, io, unrepresentable: 'any' })) as Json;
    if (name === undefined) return shape;
    components[name] ??= shape;
    return { $ref: `#/components/schemas/${name}` };
  };
  return { components, convert };
}

type Convert = ReturnType<typeof createConverter>['convert'];

function parametersOf(route: Route, convert: Convert): Json[] {
  return (['params', 'query'] as const).flatMap((place) => {
    const schema = route[place];
    if (!schema) return [];
    const shape = convert(schema, 'input') as { properties?: Record<string, unknown>; required?: string[] };
    return Object.entries(shape.properties ?? {}).map(([name, property]) => ({
      name,
      in: place === 'params' ? 'path' : 'query',
      required: place === 'params' || shape.required?.includes(name) === true,
      schema: property,
    }));
  });
}

function successOf(name: RouteName, route: Route, convert: Convert): Json {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(paged.has(name) ? { [nextCursorHeader]: { $ref: '#/components/headers/NextCursor' } } : {}),
    ...(route.status === 302 ? { Location: { schema: { type: 'string' } } } : {}),
  };
  const other = otherReplies[name];
  const description =
    route.status === 302 ? 'Leads on' : route.status === 204 ? 'Done' : (other?.description ?? 'Done');
  const content = route.reply
    ? { 'application/json': { schema: convert(route.reply, 'output') } }
    : other
      ? { [other.type]: {} }
      : undefined;
  return { description, headers, ...(content ? { content } : {}) };
}

function repliesOf(name: RouteName, route: Route, convert: Convert): Json {
  const statuses = new Set(['414', '429', '431', '503']);
  const changes = route.method !== 'GET' || route.changes === true;
  const isForm = route.fileField !== undefined || route.form !== undefined || route.rawBytes !== undefined;
  if (route.params || route.query || route.body || isForm) statuses.add('400');
  if (route.access === 'session') statuses.add('401').add('403');
  // Foreign pages may not change anything, with or without a session.
  if (changes && route.access !== 'signed') statuses.add('403');
  if (route.body || isForm) for (const status of ['413', '415']) statuses.add(status);
  if (route.bodyType !== undefined && !isForm) statuses.add('411');
  for (const code of errorCodesOf(route))
    statuses.add(String(httpStatusOfError({ code, kind: errorKindOfCode(code) })));
  const errors = [...statuses].map(
    (status) => [status, { $ref: `#/components/responses/${errorReplies[status]?.name}` }] as const,
  );
  const replies = Object.fromEntries([...errors].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    [String(route.status ?? 200)]: successOf(name, route, convert),
    ...(route.accepted
      ? {
          '202': {
            description: 'Accepted; someone else has to approve first',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
            content: { 'application/json': { schema: convert(route.accepted, 'output') } },
          },
        }
      : {}),
    ...(name === 'getHealth' ? { '503': successOf(name, route, convert) } : {}),
    ...(name === 'getHealth'
      ? Object.fromEntries(Object.entries(replies).filter(([status]) => status !== '503'))
      : replies),
  };
}

/** Returns the schema of a form with one file. */
function formOf({ form, fileField }: Route, convert: (schema: Schema, io: 'input' | 'output') => unknown): Json {
  if (form) return { schema: convert(form, 'input') };
  if (fileField === undefined) return {};
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
  return { schema: { type: 'object', properties: { [fileField]: bytes }, required: [fileField] } };
}

const exampleOf = ({ example }: Route): Json => (example === undefined ? {} : { example });

/** Returns false if the body may be omitted because all its fields are optional. */
function needsBody({ body }: Route): boolean {
  return body === undefined || !body.safeParse({}).success;
}

/**
 * Returns the security schemes of a route: a token needs the route's scope; a route without a scope accepts no token.
 */
function securityOf({ access, scope }: Route): Json[] {
  if (access !== 'session') return [];
  return [{ cookie: [] }, { bearer: [] }, ...(scope === undefined ? [] : [{ accessToken: [scope] }])];
}

/** Returns the description of a route: its proof and its error codes. */
function descriptionOf(route: Route): Json {
  const { proof, proofWith } = route;
  const who = proof === 'operator' ? 'Operators only, with' : 'Takes';
  const when = proofWith === undefined ? '' : ` where \`${proofWith}\` is given`;
  const codes = errorCodesOf(route).map((code) => `\`${code}\``);
  const sentences = proof ? [`${who} a fresh proof${when} (docs/api.md).`] : [];
  if (codes.length > 0) sentences.push(`Error codes: ${codes.join(', ')}.`);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

function operationOf(name: RouteName, route: Route, convert: Convert): Json {
  const parameters = parametersOf(route, convert);
  const body = route.body
    ? { 'application/json': { schema: convert(route.body, 'input'), ...exampleOf(route) } }
    : route.bodyType === undefined
      ? undefined
      : { [route.bodyType]: formOf(route, convert) };
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    security: securityOf(route),
    ...(route.scope === undefined ? {} : { 'x-required-scope': route.scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: needsBody(route), content: body } } : {}),
    responses: repliesOf(name, route, convert),
  };
}

function componentsOf(schemas: Json, cookieName: string): Json {
  const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  const responses = Object.fromEntries(
    Object.entries(errorReplies).map(([status, { name, description }]) => [
      name,
      {
        description,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(status === '429' || status === '503' ? retryAfter : {}),
          ...(status === '405' ? { Allow: { $ref: '#/components/headers/Allow' } } : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${status === '402' ? 'PlanLimited' : 'Error'}` },
          },
        },
      },
    ]),
  );
  return {
    schemas,
    responses,
    headers: {
      RequestId: {
        description: 'Identifies this request in the logs of all services',
        schema: { type: 'string', format: 'uuid' },
      },
      NextCursor: {
        description: 'Pass it as `cursor` for the next page; absent on the last',
        schema: { type: 'string' },
      },
      Allow: { description: 'The methods that the URL supports, separated by commas', schema: { type: 'string' } },
      RetryAfter: { description: 'Seconds to wait before trying again', schema: { type: 'integer' } },
    },
    securitySchemes: {
      cookie: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieName,
        description: 'Used by browsers. Requests that change something must come from a page of this site.',
      },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'The `token` returned by /api/verification/verify.',
      },
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: `${accessTokenPrefix}...`,
        description:
          'A personal access token, which its owner creates in the profile (docs/api.md). It is accepted where an operation names its scope (`x-required-scope`): without that scope the answer is 403 `insufficient_scope`, everywhere else 403 `token_not_allowed`, and 403 `plan_limit` if the plan no longer includes API access.',
      },
    },
  };
}

/** Creates the OpenAPI 3.1 document of the REST API from the table that also defines the routes. */
export function createOpenApi(options: { publicUrl: string; version: string; cookieName: string }): Json {
  const { components, convert } = createConverter();
  for (const schema of Object.values(namedSchemas)) convert(schema, schema === newMessage ? 'input' : 'output');
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(name, route, convert) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nolo',
      version: options.version,
      description:
        'Messages also arrive over the socket at `/ws`; docs/realtime.md describes it. A request with an unsupported method returns 405 and lists the supported ones in `Allow`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(),
    components: componentsOf(components, options.cookieName),
  };
}
