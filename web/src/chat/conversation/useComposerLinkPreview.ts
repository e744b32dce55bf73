import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { useIsBarred } from '../../session/barredHosts.ts';
import { useDebouncedValue } from '../../shell/useDebouncedValue.ts';
import { configStore } from '../../session/config.ts';
import { getLinkPreviewChoiceStore } from '../context/linkPreviewChoice.ts';
import { firstLink, shortenToOneLine, type LinkPreviewData } from './linkPreview.ts';

const previewPixels = 320;
/** Maximum length of the picture, which leaves room for the text within `limits.linkPreviewBytes`. */
const maxDataUrlLength = 28_000;

/**
 * Converts the server's preview picture to a small WebP `data:` URL. Returns undefined if the browser cannot create one
 * that fits. Redrawing also drops all metadata in the file.
 */
async function shrinkPicture(dataUrl: string): Promise<string | undefined> {
  if (!dataUrl.startsWith('data:image/')) return undefined;
  try {
    const picture = new Image();
    picture.src = dataUrl;
    await picture.decode();
    const { naturalWidth, naturalHeight } = picture;
    const scale = Math.min(1, previewPixels / Math.max(naturalWidth, naturalHeight, 1));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(naturalWidth * scale));
    canvas.height = Math.max(1, Math.round(naturalHeight * scale));
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    // Browsers without a WebP encoder return PNG, which may be too large.
    for (const quality of [0.8, 0.6, 0.4, 0.2]) {
      const made = canvas.toDataURL('image/webp', quality);
      if (made.length <= maxDataUrlLength) return made;
    }
  } catch {
    // Invalid pictures, and those too large for the browser, are omitted.
  }
  return undefined;
}

const restMs = 500;

async function fetchLinkPreview(url: string, signal: AbortSignal): Promise<LinkPreviewData | null> {
  const { title, description, siteName, image } = await call(routes.createLinkPreview, { body: { url }, signal });
  const shortTitle = shortenToOneLine(title, 200);
  if (shortTitle === '') return null;
  const small = image === null ? undefined : await shrinkPicture(image);
  const shortDescription = shortenToOneLine(description, 300);
  const shortName = shortenToOneLine(siteName, 80);
  return {
    url,
    title: shortTitle,
    ...(shortDescription !== '' && { description: shortDescription }),
    ...(shortName !== '' && { siteName: shortName }),
    ...(small !== undefined && { image: small }),
  };
}

export type ComposerLinkPreviewState = ReturnType<typeof useComposerLinkPreview>;

/** Fetches a preview of the first link in the composed text, if the user wants previews. */
export function useComposerLinkPreview(text: string) {
  const possible = useStore(configStore, (state) => state.config?.features.linkPreviews === true);
  const choice = useStore(getLinkPreviewChoiceStore(), (state) => state.choice);
  const [removed, setRemoved] = useState('');
  const first = (possible && choice !== 'off' && firstLink(text)) || '';
  // The client fetches nothing from a barred host and does not ask the user.
  const link = useIsBarred(first) ? '' : first;
  const rested = useDebouncedValue(link, restMs);
  const wanted = link !== '' && link === rested && link !== removed;
  const { data, isFetching } = useQuery({
    queryKey: ['linkPreview', rested],
    queryFn: ({ signal }) => fetchLinkPreview(rested, signal),
    enabled: wanted && choice === 'on',
    // A link without a preview is sent without one. A retry would not change that.
    retry: false,
    staleTime: Infinity,
  });
  const preview = wanted && choice === 'on' ? (data ?? null) : null;
  const state = !wanted ? 'none' : choice === 'ask' ? 'ask' : preview ? 'ready' : isFetching ? 'loading' : 'none';
  return {
    state,
    /** Preview to send with the message, or null. */
    preview,
    host: link === '' ? '' : new URL(link).host,
    remove: () => setRemoved(link),
  };
}
