import { services, addressVariableOf } from '../services.ts';
import { loadConfigSchema } from './chartEnvironment.ts';
import { configVariablesOf, type SchemaNode } from './envExample.ts';
import { externalAddressVariables } from './externalAddressVariables.ts';

const known = new Set([
  ...Object.keys(externalAddressVariables),
  ...services.map(({ name }) => addressVariableOf(name)),
  'DATABASE_URL',
  'REDIS_URL',
  'NATS_URL',
]);

/** Sample texts; every variable that names an address or a host accepts at least one. */
const addresses = [
  'https://a.example',
  'smtps://a.example',
  'turn:a.example',
  'a.example',
  'a.example:1234',
  '203.0.113.1',
  '203.0.113.0/24',
];

interface Parser {
  safeParse(value: string): { success: boolean };
}

/** Returns true if a variable names an address: it accepts addresses but no other words. */
function isAddress(node: SchemaNode): boolean {
  const takes = (text: string) => (node as unknown as Parser).safeParse(text).success;
  return addresses.some(takes) && !takes('these words are no address of anything');
}

test('the NetworkPolicy check knows every variable that names an address', async () => {
  const named = await Promise.all(
    services.map(async ({ name }) => {
      const shape = configVariablesOf((await loadConfigSchema(name)) as unknown as SchemaNode, name);
      return Object.keys(shape).filter((variable) => isAddress(shape[variable] as SchemaNode));
    }),
  );
  const variables = [...new Set(named.flat())].sort();
  expect(variables).toContain('TRANSCRIBE_URL');
  expect(variables.filter((variable) => !known.has(variable))).toEqual([]);
  // The list must not contain variables that no service reads.
  expect(Object.keys(externalAddressVariables).filter((variable) => !variables.includes(variable))).toEqual([]);
});
