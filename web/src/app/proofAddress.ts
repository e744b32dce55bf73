/** Where the window ends in which one signs in again; apart from what it says, for the app asks for it at its start. */
export const proofAddress = '/proof';
