export default function RunScreen(props: { ws: string; runId: string }) {
  return <h1>RunScreen {JSON.stringify(props)}</h1>;
}
