import { preferenceChoices, preferenceLimits } from '@nolo/rules';
import * as z from 'zod/mini';

/** @param value what is chosen; the time is that of the device where it was */
const chosen = <T extends z.ZodMiniType>(value: T) => z.optional(z.object({ value, changedAt: z.iso.datetime() }));

/** How one likes the app on all devices. */
export const preferences = z.object({
  theme: chosen(z.enum(preferenceChoices.theme)),
  density: chosen(z.enum(preferenceChoices.density)),
  textSize: chosen(z.enum(preferenceChoices.textSize)),
  /** Whether links that one writes are looked at. */
  linkPreviews: chosen(z.enum(preferenceChoices.linkPreviews)),
  /** In which prices are shown. */
  currency: chosen(z.enum(preferenceChoices.currency)),
  /** The latest first. */
  recentEmoji: chosen(
    z
      .array(z.string().check(z.minLength(1), z.maxLength(preferenceLimits.emojiLength)))
      .check(z.maxLength(preferenceLimits.recentEmoji)),
  ),
  /** 0 without one, 1 to 5 from light to dark. */
  emojiTone: chosen(z.int().check(z.minimum(0), z.maximum(preferenceLimits.emojiTones))),
});
export type Preferences = z.infer<typeof preferences>;
