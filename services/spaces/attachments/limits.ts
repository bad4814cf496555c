/** Of one attachment. As base64 it fits into the largest body that the edge lets in. */
export const MAX_ATTACHMENT_BYTES = 5 << 20;
/** Of one message. */
export const MAX_ATTACHMENTS = 20;
