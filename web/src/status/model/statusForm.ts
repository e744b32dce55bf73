import type { NewStatus } from '@nolo/api';
import { countCharacters, limits, type StatusBackground, type StatusFont, type StatusTextColor } from '@nolo/rules';
import type { StatusMedia } from '../prepareStatus.ts';

export interface StatusForm {
  kind: 'text' | 'media';
  text: string;
  backgroundColor: StatusBackground;
  textColor: StatusTextColor;
  font: StatusFont;
  media: StatusMedia | null;
  caption: string;
  alt: string;
}

export const emptyStatusForm: StatusForm = {
  kind: 'text',
  text: '',
  backgroundColor: '#1DB584',
  textColor: '#FFFFFF',
  font: 'Arial',
  media: null,
  caption: '',
  alt: '',
};

/** Returns true if discarding the form would lose input. */
export function hasUnsavedContent({ text, media, caption, alt }: StatusForm): boolean {
  return media !== null || [text, caption, alt].some((words) => words.trim() !== '');
}

export type StatusFormProblem = 'empty' | 'tooLong' | 'noMedia';

/** Returns the problem of the form. A text status needs text, but a caption may be empty (decision 24). */
export function findStatusProblem({ kind, text, media, caption }: StatusForm): StatusFormProblem | null {
  const words = kind === 'text' ? text : caption;
  if (kind === 'text' && words.trim() === '') return 'empty';
  if (countCharacters(words.trim()) > limits.statusCaptionLength) return 'tooLong';
  return kind === 'media' && media === null ? 'noMedia' : null;
}

/** Returns the request without the URLs of its files. */
export function toStatusBody(form: StatusForm): NewStatus {
  const { kind, text, backgroundColor, textColor, font, media, caption, alt } = form;
  if (kind === 'text' || media === null) return { content: text.trim(), backgroundColor, textColor, font };
  return {
    mediaType: media.mediaType,
    content: caption.trim(),
    ...(media.info !== null && { mediaInfo: media.info }),
    ...(media.mediaType === 'video' &&
      media.duration !== undefined && { duration: Math.min(media.duration, limits.statusVideoSeconds) }),
    ...(alt.trim() !== '' && { extra: { alt: alt.trim() } }),
  };
}
