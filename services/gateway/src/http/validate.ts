import type { AppError } from '@nolo/kit/errors';
import { readInput } from '@nolo/kit/input';
import type * as z from 'zod/mini';
import { createGatewayError } from '../errors.ts';

/** Part of a request that holds a value. */
export type InputLocation = 'params' | 'query' | 'body';

export interface InputIssue {
  readonly place: InputLocation;
  /** Dotted path inside the place. Empty for the whole place. */
  readonly field: string;
  readonly message: string;
}

/** Detects U+0000, which PostgreSQL text cannot hold and nobody types deliberately. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000');
  if (Array.isArray(value)) return value.some(holdsNul);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNul);
}

/** Parses one part of a request and adds problems to `issues`. Drops fields that the schema does not name. */
export function parseSection(
  schema: z.ZodMiniType | undefined,
  place: InputLocation,
  value: unknown,
  issues: InputIssue[],
): unknown {
  if (!schema) return {};
  const result = readInput(schema, value);
  if ('faults' in result) {
    for (const { path, message } of result.faults) {
      issues.push({ place, field: path.map(String).join('.'), message });
    }
    return undefined;
  }
  if (holdsNul(result.data)) issues.push({ place, field: '', message: 'must not contain the character U+0000' });
  return result.data;
}

/** Builds one error for all issues: a sentence about the first, and all of them in `details`. */
export function createInvalidInputError(issues: readonly InputIssue[]): AppError {
  const fields: Record<string, string> = {};
  for (const { place, field, message } of issues) fields[field === '' ? place : field] ??= message;
  const [first] = Object.entries(fields);
  const sentence = first ? `${first[0]}: ${first[1]}` : 'The request is invalid';
  return createGatewayError('invalid', 'invalid_input', sentence, { fields });
}
