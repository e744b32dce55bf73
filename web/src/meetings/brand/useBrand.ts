import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/httpClient.ts';
import { requestAddressAndUpload } from '../../api/uploadBytes.ts';

export const brandKey = ['brand'] as const;

export function useBrand() {
  return useQuery({ queryKey: brandKey, queryFn: ({ signal }) => call(routes.getBrand, { signal }), staleTime: 0 });
}

/** Resolves to null if the logo may contain a location and the user declines to send it. */
export async function uploadLogo(file: File): Promise<string | null> {
  const { removeLocationForUpload } = await import('../../chat/media/removeLocationForUpload.ts');
  const bytes = await removeLocationForUpload(file);
  if (!bytes) return null;
  const newAddress = async () => (await call(routes.createUpload, { body: { purpose: 'brand_logo' } })).uploadURL;
  return await requestAddressAndUpload(newAddress, bytes, {
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}
