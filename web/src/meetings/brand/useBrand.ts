import type { OwnBrand } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseTranslationResponse } from 'react-i18next';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../api/httpClient.ts';
import { requestAddressAndUpload } from '../../api/uploadBytes.ts';
import { addWords } from '../../i18n/i18n.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { enBrand } from './enBrand.ts';

const brandKey = ['brand'] as const;

/** Returns the app's texts together with those for branded rooms. */
export function useBrandWords(): UseTranslationResponse<'app', undefined> {
  const translation = useTranslation();
  addWords(translation.i18n, 'brand', enBrand);
  return translation;
}

/** Loads the brand of the user's meetings. */
export function useBrand() {
  return useQuery({ queryKey: brandKey, queryFn: ({ signal }) => call(routes.getBrand, { signal }), staleTime: 0 });
}

export interface WantedBrand {
  readonly name: string;
  readonly color: string;
  /** Null removes the logo. Undefined keeps it. */
  readonly logo: File | null | undefined;
}

/** Saves and removes the brand. Both report the outcome, and resolve to true on success. */
export function useBrandActions() {
  const { t, i18n } = useBrandWords();
  const queryClient = useQueryClient();
  const attempt = async (
    action: () => Promise<OwnBrand | undefined | null>,
    done: string,
    failed: string,
  ): Promise<boolean> => {
    try {
      const known = await action();
      if (known === null) return false;
      if (known) queryClient.setQueryData(brandKey, known);
      else await queryClient.invalidateQueries({ queryKey: brandKey });
      toast({ kind: 'success', title: done });
      return true;
    } catch (error) {
      // Plan limits are shown by the plans dialog.
      if (!(error instanceof ApiError) || error.status !== 402) {
        showFailure({ title: failed, description: explainFailure(i18n, error) });
      }
      return false;
    }
  };
  return {
    save: ({ name, color, logo }: WantedBrand) =>
      attempt(
        async () => {
          const logoURL = logo ? await uploadLogo(logo) : logo;
          if (logo && logoURL === null) return null;
          return await call(routes.setBrand, { body: { name, color, ...(logoURL !== undefined && { logoURL }) } });
        },
        t('brand.saved'),
        t('brand.saveFailed'),
      ),
    remove: () =>
      attempt(
        async () => {
          await call(routes.removeBrand);
          return undefined;
        },
        t('brand.removed'),
        t('brand.removeFailed'),
      ),
  };
}

/** Resolves to null if the logo may contain a location and the user declines to send it. */
async function uploadLogo(file: File): Promise<string | null> {
  const { removeLocationForUpload } = await import('../../chat/media/removeLocationForUpload.ts');
  const bytes = await removeLocationForUpload(file);
  if (!bytes) return null;
  const newAddress = async () => (await call(routes.createUpload, { body: { purpose: 'brand_logo' } })).uploadURL;
  return await requestAddressAndUpload(newAddress, bytes, {
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}
