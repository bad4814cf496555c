export default function InboxScreen(props: { ws: string; selectedId: string | null }) {
  return <h1>InboxScreen {JSON.stringify(props)}</h1>;
}
