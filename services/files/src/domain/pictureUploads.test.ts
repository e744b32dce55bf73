import type { UploadId, UserId } from '@nolo/kit/ids';
import type { StoredPictureUpload } from './ports.ts';
import { isValidPictureUploadSignature, signPictureUpload } from './pictureUploads.ts';

const upload: StoredPictureUpload = {
  id: '01900000-0000-7000-8000-000000000001' as UploadId,
  ownerId: '01900000-0000-7000-8000-000000000002' as UserId,
  purpose: 'profile_image',
  state: 'pending',
  objectId: undefined,
  createdAt: new Date(0),
  expiresAt: new Date(900_000),
};

test('a signature is valid for its upload only', () => {
  const signature = signPictureUpload('secret', upload);
  expect(isValidPictureUploadSignature('secret', upload, signature)).toBe(true);
  expect(isValidPictureUploadSignature('other', upload, signature)).toBe(false);
  expect(isValidPictureUploadSignature('secret', { ...upload, expiresAt: new Date(900_001) }, signature)).toBe(false);
  expect(
    isValidPictureUploadSignature('secret', { ...upload, ownerId: upload.id as unknown as UserId }, signature),
  ).toBe(false);
});

test.each(['', 'x', 'é'.repeat(43), 'A'.repeat(43)])('%p is not a signature', (signature) => {
  expect(isValidPictureUploadSignature('secret', upload, signature)).toBe(false);
});
