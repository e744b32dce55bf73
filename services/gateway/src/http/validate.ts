import { readInput } from '@nolo/kit/input';
import type * as z from 'zod/mini';
import type { InputIssue, InputLocation } from '../errors.ts';

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
