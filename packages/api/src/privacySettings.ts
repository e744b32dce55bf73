import { privacyChoiceNames, privacyOptionsOf, type PrivacySettings } from '@nolo/rules';
import * as z from 'zod/mini';

type Shape = { [Name in keyof PrivacySettings]: z.ZodMiniType<PrivacySettings[Name], PrivacySettings[Name]> };

/** The user's privacy choices (`privacyChoices` of the rules). */
export const privacySettings = z.object(
  Object.fromEntries(
    privacyChoiceNames.map((name): [string, z.ZodMiniType] => {
      const options = privacyOptionsOf(name);
      return [name, options ? z.enum(options) : z.boolean()];
    }),
  ) as Shape,
);
