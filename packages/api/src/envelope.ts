import { envelopeFieldTypes } from '@nolo/rules';
import * as z from 'zod/mini';

/** Envelope fields without a name of their own (packages/rules, envelope.ts). */
export const extraFields = z
  .record(z.string(), z.unknown())
  .check(
    z.refine((fields) => !Object.keys(fields).some((name) => name === 'v' || Object.hasOwn(envelopeFieldTypes, name))),
  );
