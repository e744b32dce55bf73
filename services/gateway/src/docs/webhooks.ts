import { webhookEvents, webhookTestEventType } from '@nolo/rules';

type Json = Record<string, unknown>;

/** Converts the data of an event to a schema; the vocabulary is that of `webhookEvents`. */
function dataShape(data: Readonly<Record<string, string>>): Json {
  const properties = Object.entries(data).map(([name, typeName]) => [name, shapeOf(typeName)]);
  return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(data) };
}

function shapeOf(typeName: string): Json {
  if (typeName === 'id') return { type: 'string', format: 'uuid' };
  if (typeName === 'id or null') return { type: ['string', 'null'], format: 'uuid' };
  if (typeName === 'time') return { type: 'string', format: 'date-time' };
  return typeName === 'number' ? { type: 'integer' } : { type: 'string', enum: typeName.split(/, | or /) };
}

const header = (description: string) => ({ in: 'header', required: true, schema: { type: 'string' }, description });

const parameters = [
  { name: 'webhook-id', ...header('The same for every attempt at one event, so that receivers can recognise repeats') },
  { name: 'webhook-timestamp', ...header('Time of this attempt, in seconds since 1970') },
  {
    name: 'webhook-signature',
    ...header(
      '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in Base64; several, separated by spaces, while a secret is being replaced',
    ),
  },
];

const responses = {
  '2XX': { description: 'Accepted. Anything else except 410 is retried for about three days' },
  '410': { description: 'Gone: the webhook is disabled' },
};

function describe(type: string, summary: string, data: Readonly<Record<string, string>>): Json {
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'Time of the event' },
      data: dataShape(data),
    },
  };
  return {
    post: {
      summary,
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses,
    },
  };
}

/** Returns the `webhooks` section of the OpenAPI document: requests to receivers (Standard Webhooks). */
export function describeWebhooks(): Json {
  const events = Object.entries(webhookEvents).map(([type, { summary, data }]) => [
    type,
    describe(type, summary, data),
  ]);
  const test = describe(webhookTestEventType, 'Sent by an owner to test a webhook', { webhookId: 'id' });
  return { ...Object.fromEntries(events), [webhookTestEventType]: test } as Json;
}
