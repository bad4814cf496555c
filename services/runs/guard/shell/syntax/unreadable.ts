/** A part of a line that cannot be read for certain. The message is one sentence fit for people. */
export class Unreadable extends Error {}
