import { formerTextSize, preferenceChoices, preferenceLimits } from '@nolo/rules';
import * as z from 'zod/mini';

/** @param value the chosen value; the time is that of the device on which it was chosen */
const chosen = <T extends z.ZodMiniType>(value: T) => z.optional(z.object({ value, changedAt: z.iso.datetime() }));

/** User preferences for the app, shared by all devices. */
export const preferences = z.object({
  theme: chosen(z.enum(preferenceChoices.theme)),
  density: chosen(z.enum(preferenceChoices.density)),
  textSize: chosen(z.enum([...preferenceChoices.textSize, formerTextSize])),
  /** Link previews for links that the user writes. */
  linkPreviews: chosen(z.enum(preferenceChoices.linkPreviews)),
  /** Currency in which prices are shown. */
  currency: chosen(z.enum(preferenceChoices.currency)),
  /** Most recent first. */
  recentEmoji: chosen(
    z
      .array(z.string().check(z.minLength(1), z.maxLength(preferenceLimits.emojiLength)))
      .check(z.maxLength(preferenceLimits.recentEmoji)),
  ),
  /** 0 for none, 1 to 5 from light to dark. */
  emojiTone: chosen(z.int().check(z.minimum(0), z.maximum(preferenceLimits.emojiTones))),
});
export type Preferences = z.infer<typeof preferences>;
