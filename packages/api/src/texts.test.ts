import type * as z from 'zod/v4/core';
import { clientEvents, clientFrame, multipostFields, routes, type Route } from './index.ts';

/**
 * Every text that a contract takes states its maximum length, or is an id or a time. Without either, kit's `readInput`
 * would apply its default length, which no contract intends.
 */
function openTexts(schema: z.$ZodType, path: string): string[] {
  const { def } = (schema as z.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return openTexts(def.innerType, path);
    case 'array':
      return openTexts(def.element, `${path}[]`);
    case 'record':
      return openTexts(def.valueType, `${path}{}`);
    case 'union':
      return def.options.flatMap((option, index) => openTexts(option, `${path}|${index}`));
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => openTexts(inner, `${path}.${name}`));
    case 'string': {
      const isBounded = (def.checks ?? []).some(({ _zod }) => _zod.def.check === 'max_length');
      const hasForm = 'format' in def && ['uuid', 'guid', 'datetime'].includes(def.format as string);
      return isBounded || hasForm ? [] : [path];
    }
    case 'boolean':
    case 'enum':
    case 'file':
    case 'literal':
    case 'number':
    case 'unknown':
      return [];
    default:
      throw new Error(`${path} is a ${def.type}, whose texts nobody has walked yet.`);
  }
}

const contracts: [string, z.$ZodType][] = [
  ...Object.entries<Route>(routes).flatMap(([name, { params, query, body, form }]) =>
    Object.entries({ params, query, body, form }).flatMap(([section, schema]): [string, z.$ZodType][] =>
      schema ? [[`${name}.${section}`, schema]] : [],
    ),
  ),
  ...Object.entries(clientEvents),
  ['a frame', clientFrame],
  ['a post with files', multipostFields],
];

test('every string in every contract has a maximum length', () => {
  expect(contracts.flatMap(([name, schema]) => openTexts(schema, name))).toEqual([]);
});
