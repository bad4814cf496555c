import type { Token, Tokens } from 'marked';
import { memo, useMemo, useRef } from 'react';
import css from '../markdown.module.css';
import { keyed, type Parsed, parsed } from './blocks.ts';
import { CodeBlock } from './code-block.tsx';
import { Inline } from './inline.tsx';

interface MarkdownBodyProps {
  text: string;
  isStreaming: boolean;
}

export default function MarkdownBody({ text, isStreaming }: MarkdownBodyProps) {
  const before = useRef<Parsed>(undefined);
  const now = useMemo(() => parsed(text, isStreaming, before.current), [text, isStreaming]);
  before.current = now;
  return (
    <div className={css.markdown}>
      {keyed(now.blocks).map(({ key, piece: { token } }) => (
        <MarkdownBlock key={key} token={token} raw={token.raw} />
      ))}
    </div>
  );
}

/** Made again only when its own text is another: of a text that grows, all but the last stay. */
const MarkdownBlock = memo(
  ({ token }: { token: Token; raw: string }) => <BlockOf token={token} />,
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
);

function BlockOf({ token }: { token: Token }) {
  switch (token.type) {
    case 'heading':
      return <Heading {...(token as Tokens.Heading)} />;
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      return <CodeBlock text={text} language={lang ?? ''} />;
    }
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} />
        </blockquote>
      );
    case 'list':
      return <List {...(token as Tokens.List)} />;
    case 'table':
      return <Table {...(token as Tokens.Table)} />;
    case 'hr':
      return <hr />;
    case 'text':
    case 'paragraph': {
      const { tokens, text } = token as Tokens.Paragraph;
      return <p>{tokens ? <Inline tokens={tokens} /> : text}</p>;
    }
    case 'space':
    case 'def':
      return null;
    // Raw HTML and whatever is not known stay what they are: text.
    default:
      return <p>{token.raw}</p>;
  }
}

function Blocks({ tokens }: { tokens: readonly Token[] }) {
  return keyed(tokens).map(({ key, piece }) => <BlockOf key={key} token={piece} />);
}

const LEVELS = ['h3', 'h4', 'h5', 'h6'] as const;

/** The screen has headings of its own: those of a message begin below them. */
function Heading({ depth, tokens }: Tokens.Heading) {
  const Level = LEVELS[depth - 1] ?? 'h6';
  return (
    <Level className={css.heading} data-depth={depth}>
      <Inline tokens={tokens} />
    </Level>
  );
}

function List({ ordered, start, items }: Tokens.List) {
  const rows = keyed(items).map(({ key, piece: item }) => (
    <li key={key} className={item.task ? css.task : undefined}>
      {item.task ? (
        <input type="checkbox" checked={item.checked ?? false} disabled aria-label={item.text} />
      ) : null}
      <ItemBody tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} />
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : Number(start)}>{rows}</ol> : <ul>{rows}</ul>;
}

/** A tight item holds bare text, which needs no paragraph. */
function ItemBody({ tokens }: { tokens: readonly Token[] }) {
  return keyed(tokens).map(({ key, piece }) =>
    piece.type === 'text' ? (
      <Inline key={key} tokens={(piece as Tokens.Text).tokens ?? [piece]} />
    ) : (
      <BlockOf key={key} token={piece} />
    ),
  );
}

function Table({ header, rows }: Tokens.Table) {
  return (
    <div className={css.scroll}>
      <table>
        <thead>
          <tr>
            {keyed(header).map(({ key, piece: { tokens, align } }) => (
              <th key={key} scope="col" data-align={align ?? undefined}>
                <Inline tokens={tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows).map(({ key, piece: row }) => (
            <tr key={key}>
              {keyed(row).map(({ key: column, piece: { tokens, align } }) => (
                <td key={column} data-align={align ?? undefined}>
                  <Inline tokens={tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
