import type { UploadId, UserId } from '@nolo/kit/ids';
import type { Upload } from './ports.ts';
import { isSignedBy, signUpload } from './uploads.ts';

const upload: Upload = {
  id: '01900000-0000-7000-8000-000000000001' as UploadId,
  ownerId: '01900000-0000-7000-8000-000000000002' as UserId,
  purpose: 'profile_image',
  state: 'pending',
  objectId: undefined,
  createdAt: new Date(0),
  expiresAt: new Date(900_000),
};

test('a signature is valid for its upload only', () => {
  const signature = signUpload('secret', upload);
  expect(isSignedBy('secret', upload, signature)).toBe(true);
  expect(isSignedBy('other', upload, signature)).toBe(false);
  expect(isSignedBy('secret', { ...upload, expiresAt: new Date(900_001) }, signature)).toBe(false);
  expect(isSignedBy('secret', { ...upload, ownerId: upload.id as unknown as UserId }, signature)).toBe(false);
});

test.each(['', 'x', 'é'.repeat(43), 'A'.repeat(43)])('%p is not a signature', (signature) => {
  expect(isSignedBy('secret', upload, signature)).toBe(false);
});
