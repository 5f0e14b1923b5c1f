module @outer attributes {a.b = 1 : i64, dl.x = "y"} {
  module {
    func.func @x() {
      return
    }
  }
  module @inner {
    func.func private @y() -> i32
    module @deep {
    }
  }
  module attributes {q.r} {
  }
  module @named {
    func.func @z() {
      call @w() : () -> ()
      return
    }
    func.func private @w()
  }
}

