/** Path that other apps post to, and path where the page asks what to do with it. Both are in the manifest. */
export const shareTargetPath = '/share-target';
export const receivedPath = '/received';
