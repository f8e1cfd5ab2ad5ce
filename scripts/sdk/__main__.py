from scripts.sdk.generate import PACKAGE, generate

generated = generate()
(PACKAGE / "resources").mkdir(exist_ok=True)
for old in (PACKAGE / "resources").glob("*.py"):
    old.unlink()
for name, source in generated.items():
    (PACKAGE / name).write_text(source)
print(f"wrote {len(generated)} files with {sum(source.count(chr(10)) for source in generated.values())} lines")
